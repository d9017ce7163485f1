/** Switch patterns as previewed in Java 17. */
public class Patterns17 {
    sealed interface Shape permits Circle, Box {
    }

    record Circle(double radius) implements Shape {
    }

    record Box(double width, double height) implements Shape {
    }

    static String describe(Object object) {
        return switch (object) {
            case null -> "null";
            case Integer i && i > 10 -> "large " + i;
            case Integer i -> "small " + i;
            case String s -> "text " + s.length();
            case int[] array -> "array " + array.length;
            default -> "other";
        };
    }

    static double area(Shape shape) {
        return switch (shape) {
            case Circle c -> 3 * c.radius() * c.radius();
            case Box b -> b.width() * b.height();
        };
    }

    public static void main(String[] args) {
        for (int round = 0; round < 2; round++) {
            for (Object object : new Object[] {null, 5, 50, "abc", new int[3], 2.5}) {
                System.out.print(describe(object) + ", ");
            }
        }
        System.out.println(area(new Circle(2)) + area(new Box(3, 4)));
    }
}
