import java.util.Iterator;

/** Member, local, anonymous and static nested classes, with captured variables and access to private members. */
public class InnerClasses implements Iterable<Integer> {
    private int secret = 5;
    private static int counter;

    class Member {
        private int own = secret * 2;

        class Deeper {
            int sum() {
                return secret + own + counter++;
            }
        }
    }

    static class Nested {
        private int hidden = counter;

        private int read(InnerClasses outer) {
            return outer.secret + outer.privately(hidden);
        }
    }

    private int privately(int n) {
        return n + secret;
    }

    @Override
    public Iterator<Integer> iterator() {
        return new Iterator<>() {
            int next = secret;

            @Override
            public boolean hasNext() {
                return next > 0;
            }

            @Override
            public Integer next() {
                return next--;
            }
        };
    }

    int local(int n) {
        class Local {
            int power(int exponent) {
                return exponent == 0 ? 1 : n * new Local().power(exponent - 1);
            }
        }
        return new Local().power(4);
    }

    static class Base {
        protected int shared = 10;

        int value() {
            return shared;
        }
    }

    class Extending extends Base {
        @Override
        int value() {
            shared += secret;
            return super.value() + InnerClasses.this.secret;
        }
    }

    public static void main(String[] args) {
        InnerClasses outer = new InnerClasses();
        InnerClasses.Member.Deeper deeper = outer.new Member().new Deeper();
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += deeper.sum() + new Nested().read(outer) + outer.new Extending().value();
        }
        for (int x : outer) {
            sum = sum * 2 + x;
        }
        System.out.println(sum + " " + outer.local(3));
        Comparable<String> anonymous = new Comparable<>() {
            int compared;

            @Override
            public int compareTo(String other) {
                return compared += other.length();
            }
        };
        System.out.println(anonymous.compareTo("abc") + anonymous.compareTo("de"));
    }
}
