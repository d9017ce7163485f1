/**
 * Initialisers run between a call and the method that is called. They call methods of its name and
 * descriptor.
 */
class Initialising {
    static class Caller {
        Object given;

        void call() {
            Outer.set(given);
            Outer.set(given);
        }
    }

    /** Left out, and initialised by the first call of a method of its heir. */
    static class LeftOut {
        static Object other;

        static {
            Inner.set(other);
            Inner.set(other);
        }
    }

    static class Outer extends LeftOut {
        static Object taken;

        static {
            Inner.set(null);
        }

        static void set(Object value) {
            taken = value;
        }
    }

    static class Inner {
        static Object taken;

        static void set(Object value) {
            taken = value;
        }
    }

    public static void main(String[] args) {
        new Caller().call();
    }
}
