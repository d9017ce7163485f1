/** The JVM calls constructors of exceptions after code has called others of their descriptor. */
class Raising {
    static class Caller {
        String given = "given";
        int divisor;

        int call() {
            new Nobody(given);
            try {
                return 1 / divisor;
            } catch (ArithmeticException expected) {
                return 0;
            }
        }
    }

    /** It has no use for what it gets. */
    static class Nobody {
        Nobody(String unused) {}
    }

    public static void main(String[] args) {
        Caller caller = new Caller();
        for (int i = 0; i < Passing.TIMES; i++) {
            caller.call();
        }
    }
}
