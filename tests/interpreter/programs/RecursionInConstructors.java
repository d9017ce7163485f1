/**
 * Constructors that are not followed make another object of their class before they call that of
 * their superclass: each object keeps its own site.
 */
class RecursionInConstructors {
    static class Kept {
        int number;
        Kept other;

        Kept(int number) {
            this.number = number;
        }

        Kept(Kept other) {
            this.other = other;
        }
    }

    /** Followed, as a comparison. */
    static class Chain extends Kept {
        Chain(int number) {
            super(number > 0 ? new Chain(number - 1) : null);
        }
    }

    /** Left out. */
    static class X1 extends Kept {
        X1(int number) {
            super(number > 0 ? new X1(number - 1) : null);
        }
    }

    /** Left out; a method makes the other one, which is kept. */
    static class X2 extends Kept {
        static X2 last;

        X2(int number) {
            super(number + before(number));
            last = this;
        }

        private static int before(int number) {
            if (number == 1) {
                new X2(2);
            }
            return number == 1 ? last.number : 1;
        }
    }

    static Kept kept;

    public static void main(String[] args) {
        Kept followed = new Chain(2);
        Kept outer = new X1(2);
        kept = outer;
        outer.other.number = 4;
        outer.number = outer.other.number + (followed.other == null ? 1 : 2);
        for (int i = 0; i < 3; i++) {
            kept = new X2(i);
            kept.number++;
        }
        System.out.println(outer.number + kept.number + X2.last.number);
    }
}
