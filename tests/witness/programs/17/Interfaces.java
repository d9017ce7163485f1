/** Interfaces with abstract, default, static and private methods, and classes that inherit from several. */
public class Interfaces {
    interface Shape {
        double area();

        default String describe() {
            return name() + " of " + rounded(area());
        }

        default String name() {
            return "shape";
        }

        private static long rounded(double x) {
            return Math.round(x);
        }

        private String secret() {
            return "secret " + name();
        }

        default String reveal() {
            return secret();
        }

        static Shape unit() {
            return () -> 1.0;
        }
    }

    interface Named {
        default String name() {
            return "named";
        }
    }

    record Square(double side) implements Shape {
        @Override
        public double area() {
            return side * side;
        }
    }

    static class Both implements Shape, Named {
        @Override
        public double area() {
            return 2;
        }

        @Override
        public String name() {
            return Shape.super.name() + "+" + Named.super.name();
        }
    }

    abstract static class Partial implements Shape {
        @Override
        public String describe() {
            return "partial " + Shape.super.describe();
        }
    }

    static class Whole extends Partial {
        @Override
        public double area() {
            return 3;
        }
    }

    interface Counter {
        int next();

        default int skip(int n) {
            int last = 0;
            for (int i = 0; i < n; i++) {
                last = next();
            }
            return last;
        }
    }

    public static void main(String[] args) {
        Shape[] shapes = {new Square(3), new Both(), new Whole(), Shape.unit(), () -> 7};
        for (int round = 0; round < 3; round++) {
            for (Shape shape : shapes) {
                System.out.print(shape.describe() + ", " + shape.reveal() + "; ");
            }
        }
        int[] n = {0};
        Counter counter = () -> n[0] += 2;
        System.out.println(counter.skip(10));
        // Methods of Object by an interface.
        Shape shape = shapes[0];
        System.out.println(shape.equals(new Square(3)) + " " + shape.toString());
    }
}
