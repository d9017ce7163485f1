import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.AccessController;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;

/** Exceptions that leave Java code called by native code: reflection, class initialisers, class loaders. */
public class ThrowsThroughNative {
    static class Fails {
        static int value = compute();

        static int compute() {
            int[] nothing = new int[0];
            return nothing[0];
        }
    }

    static class FailsLater {
        static int value;

        static {
            value = 5;
            if (value > 4) {
                throw new IllegalStateException("not today");
            }
        }
    }

    static class Thrower {
        Thrower(int n) {
            if (n > 0) {
                throw new IllegalArgumentException("n = " + n);
            }
        }

        static int twice(int n) {
            if (n > 2) {
                throw new IllegalArgumentException("too many");
            }
            return 2 * n;
        }
    }

    static class Picky extends ClassLoader {
        Picky() {
            super(null);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("Bad")) {
                throw new IllegalStateException(name);
            }
            throw new ClassNotFoundException(name);
        }
    }

    static void reflective() throws Exception {
        Method twice = Thrower.class.getDeclaredMethod("twice", int.class);
        for (int i = 0; i < 5; i++) {
            try {
                System.out.print(twice.invoke(null, i) + " ");
            } catch (InvocationTargetException e) {
                System.out.print(e.getCause().getMessage() + " ");
            }
        }
        for (int i = 0; i < 2; i++) {
            try {
                Thrower.class.getDeclaredConstructor(int.class).newInstance(i);
            } catch (InvocationTargetException e) {
                System.out.println(e.getCause().getMessage());
            }
        }
    }

    static void initialisers() {
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(Fails.value);
            } catch (ExceptionInInitializerError e) {
                System.out.println(e.getCause().getClass());
            } catch (NoClassDefFoundError e) {
                System.out.println("again");
            }
            try {
                Class.forName("ThrowsThroughNative$FailsLater");
            } catch (ExceptionInInitializerError e) {
                System.out.println(e.getCause().getMessage());
            } catch (ClassNotFoundException | NoClassDefFoundError e) {
                System.out.println("again: " + e.getClass());
            }
        }
    }

    static void loaders() {
        ClassLoader loader = new Picky();
        for (String name : new String[] {"Absent", "BadOne", "java.lang.String"}) {
            try {
                System.out.println(Class.forName(name, true, loader));
            } catch (ClassNotFoundException | IllegalStateException e) {
                System.out.println(e.getClass() + " " + e.getMessage());
            }
        }
    }

    @SuppressWarnings("removal")
    static void privileged() {
        try {
            AccessController.doPrivileged((PrivilegedExceptionAction<Void>) () -> {
                throw new java.io.IOException("privileged");
            });
        } catch (PrivilegedActionException e) {
            System.out.println(e.getException().getMessage());
        }
    }

    static void comparator() {
        Integer[] numbers = {5, 3, 8, 1};
        try {
            Arrays.sort(numbers, (a, b) -> {
                if (a == 8 || b == 8) {
                    throw new ClassCastException("eight");
                }
                return a - b;
            });
        } catch (ClassCastException e) {
            System.out.println(e.getMessage() + " " + Arrays.toString(numbers));
        }
    }

    public static void main(String[] args) throws Exception {
        reflective();
        initialisers();
        loaders();
        privileged();
        comparator();
    }
}
