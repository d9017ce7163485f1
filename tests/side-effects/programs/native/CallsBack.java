import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Goes from Java to native code and back, in every way that JNI offers. The argument names the library. */
public class CallsBack {
    private int field = 5;
    private static String text = "static";

    /** What native code calls without dispatch. */
    static class Base {
        String name() {
            return "base";
        }
    }

    static class Derived extends Base {
        @Override
        String name() {
            return "derived of " + super.name();
        }

        native String nativeName();
    }

    static class Picky {
        final int value;

        Picky(int value) {
            if (value < 0) {
                throw new IllegalArgumentException("picky about " + value);
            }
            this.value = value;
        }
    }

    private static final class Given extends ClassLoader {
        Given() {
            super(CallsBack.class.getClassLoader());
        }
    }

    interface Late {
        int answer();
    }

    static final class Registered implements Late {
        @Override
        public native int answer();
    }

    static native int descend(int depth);

    static native Object rethrown(int how);

    static native Object create(int value);

    static native String withoutDispatch(Base object);

    static native Class<?> find(String name);

    static native boolean register(Class<?> in, int answer);

    static native boolean unregister(Class<?> in);

    static native Class<?> define(ClassLoader loader, String name, byte[] bytes);

    static native int attach(int threads, boolean daemons);

    static native Object withoutConstructor(Class<?> of);

    static native Object invoke(Object reflected, Object self);

    static native Method reflect(Class<?> in);

    native int changeFields(int by);

    static native long sum(int[] numbers);

    static native ByteBuffer direct(int size);

    synchronized native int locked();

    static native int entered(Object monitor);

    static native int fails();

    public static void main(String[] args) throws Throwable {
        System.load(args[0]);
        for (int round = 0; round < 300; round++) {
            // Output of the first and of the last round, so that both the interpreter and compiled code are seen.
            run(round == 0 || round == 299, args[1]);
        }
    }

    private static void run(boolean shown, String classFile) throws Throwable {
        List<Object> said = new ArrayList<>();
        said.add(descend(6));
        for (int how = 0; how < 4; how++) {
            try {
                said.add(rethrown(how));
            } catch (RuntimeException | Error e) {
                said.add(e + " from " + names(e));
            }
        }
        said.add(((Picky) create(7)).value);
        try {
            create(-7);
        } catch (IllegalArgumentException e) {
            said.add(e.getMessage() + " from " + names(e));
        }
        said.add(withoutDispatch(new Derived()) + " and " + new Derived().nativeName());
        said.add(find("CallsBack$Derived") == Derived.class);
        try {
            find("NotThere");
        } catch (NoClassDefFoundError e) {
            said.add(e.toString());
        }
        try {
            new Registered().answer();
        } catch (UnsatisfiedLinkError e) {
            said.add("not linked");
        }
        said.add(register(Registered.class, 1) + " " + new Registered().answer());
        said.add(register(Registered.class, 2) + " " + new Registered().answer());
        said.add(unregister(Registered.class));
        byte[] bytes = java.nio.file.Files.readAllBytes(java.nio.file.Path.of(classFile));
        ClassLoader loader = new Given();
        Class<?> defined = define(loader, "Defined", bytes);
        said.add(defined.getName() + " " + (defined.getClassLoader() == loader)
            + " " + defined.getDeclaredConstructor().newInstance());
        try {
            define(loader, "Defined", bytes);
        } catch (LinkageError e) {
            said.add(e.getClass());
        }
        try {
            define(loader, "Wrong", new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
        } catch (ClassFormatError e) {
            said.add(e.getClass());
        }
        if (shown) {
            said.add(attach(40, false) + " " + attach(10, true));
        }
        said.add(((CallsBack) withoutConstructor(CallsBack.class)).field);
        said.add(invoke(CallsBack.class.getDeclaredMethod("named", int.class), new CallsBack()));
        said.add(reflect(CallsBack.class));
        CallsBack self = new CallsBack();
        said.add(self.changeFields(3) + " " + self.field + " " + text);
        said.add(sum(new int[] {1, 2, 3, 4}));
        ByteBuffer direct = direct(16).order(ByteOrder.nativeOrder());
        said.add(direct.capacity() + " " + direct.getInt(4));
        said.add(self.locked() + " " + entered(self));
        try {
            fails();
        } catch (ArithmeticException e) {
            said.add(e + " " + e.getStackTrace()[0]);
        }
        if (shown) {
            said.forEach(System.out::println);
        }
    }

    // Called by native code.

    static int down(int depth) {
        int below = depth == 0 ? 0 : descend(depth - 1);
        return below * 3 + depth + new Throwable().getStackTrace().length;
    }

    static Object thrower(int how) {
        if (how == 3) {
            throw new StackOverflowError("made up");
        }
        Object[] none = {};
        return how == 2 ? none[how] : Collections.emptyList().iterator().next();
    }

    String named(int number) {
        return "named " + number + " " + field;
    }

    static int fromThread(int number) {
        int[] sum = {0};
        Arrays.asList(1, 2, 3).forEach(value -> sum[0] += value * number);
        return sum[0] + new Throwable().getStackTrace().length
            + (Thread.currentThread().isDaemon() ? 1000 : 0);
    }

    private static List<String> names(Throwable thrown) {
        List<String> names = new ArrayList<>();
        for (StackTraceElement element : thrown.getStackTrace()) {
            names.add(element.getMethodName() + ":" + element.getLineNumber());
        }
        return names;
    }
}
