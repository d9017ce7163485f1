/** Classes whose initialisers fail, succeed late, refer to each other, or run in another thread. */
public final class FailingInitialisers {
    static class Fails {
        static final int VALUE = Integer.parseInt("not a number");

        static void touch() {
        }
    }

    static class FailsThroughSuper extends Fails {
        static int other = 1;
    }

    static class First {
        static int seen = Second.value + 1;
        static int value = 10;
    }

    static class Second {
        static int value = First.value + 5;
    }

    static class Slow {
        static int value;

        static {
            System.out.println("initialising in " + Thread.currentThread().getName());
            value = 42;
        }
    }

    interface WithDefault {
        Object CONSTANT = announce("interface initialised");

        default void use() {
        }
    }

    static class Implements implements WithDefault {
    }

    static Object announce(String what) {
        System.out.println(what);
        return what;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3; i++) {
            try {
                Fails.touch();
            } catch (ExceptionInInitializerError e) {
                System.out.println("first: " + e.getCause());
            } catch (NoClassDefFoundError e) {
                System.out.println("later: " + e.getMessage());
            }
            try {
                System.out.println(FailsThroughSuper.other);
            } catch (NoClassDefFoundError e) {
                System.out.println("sub: " + e.getMessage());
            }
        }
        System.out.println(First.seen + " " + First.value + " " + Second.value);
        Thread other = new Thread(() -> System.out.println(Slow.value), "other");
        other.start();
        other.join();
        System.out.println(Slow.value);
        new Implements().use();
        try {
            Class.forName("NoSuchClass");
        } catch (ClassNotFoundException e) {
            System.out.println(e);
        }
    }
}
