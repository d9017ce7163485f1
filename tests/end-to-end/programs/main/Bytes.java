import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * Allocates in every way that has instructions, and prints how many bytes the JVM says that each
 * way takes on this thread.
 */
public class Bytes {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long THREAD = Thread.currentThread().getId();
    private static final int TIMES = 20_000;

    static Object kept;

    static class Holder {
        byte small;
        int number;
        long large;
        Object reference;
    }

    static class Base {
        final int[] numbers;

        Base(int[] numbers) {
            this.numbers = numbers;
        }
    }

    static class Derived extends Base {
        final Object more;

        Derived(int length) {
            super(new int[length]);
            more = new Object();
        }
    }

    static class Finalizable {
        long number;

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            number++;
        }
    }

    /** Defined as a hidden class. */
    public static class Hidden implements Supplier<Object> {
        double weight;
        double height;

        @Override
        public Object get() {
            return new Hidden();
        }
    }

    public static class Item0 {
        byte number;
    }

    public static class Item1 {
        long first;
        long second;
        long third;
    }

    /** Each loader has its own. */
    public static class ItemX {
    }

    public static class Maker implements Supplier<Object> {
        @Override
        public Object get() {
            return new ItemX();
        }
    }

    public static void main(String[] args) throws Exception {
        for (String name : new String[] {"Holder", "Base", "Derived", "Finalizable"}) {
            Class.forName("Bytes$" + name);
        }
        Supplier<?> hidden = hidden();
        Supplier<?> first = maker('0');
        Supplier<?> second = maker('1');
        measure("objects", Bytes::objects);
        measure("holder", Bytes::holder);
        measure("byBranch", Bytes::byBranch);
        measure("primitives", Bytes::primitives);
        measure("references", Bytes::references);
        measure("nested", Bytes::nested);
        measure("derived", Bytes::derived);
        measure("finalizable", Bytes::finalizable);
        measure("many", Bytes::many);
        measure("ofHidden", () -> ofHidden(hidden));
        measure("ofFirst", () -> ofFirst(first));
        measure("ofSecond", () -> ofSecond(second));
        negative();
        System.out.println("kept " + (kept != null));
    }

    /** Once, so that all is linked, and once more. Classes are there before. */
    private static void measure(String name, Runnable way) {
        way.run();
        long before = THREADS.getThreadAllocatedBytes(THREAD);
        way.run();
        long bytes = THREADS.getThreadAllocatedBytes(THREAD) - before;
        System.out.println(name + " " + bytes);
    }

    private static void objects() {
        for (int i = 0; i < 10; i++) {
            kept = new Object();
        }
    }

    private static void holder() {
        kept = new Holder();
    }

    private static void byBranch() {
        for (int i = 0; i < 7; i++) {
            kept = i % 3 == 0 ? new Holder() : i % 3 == 1 ? new Object() : new char[i];
        }
    }

    private static void primitives() {
        for (int length : new int[] {0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 100, 1000}) {
            kept = new boolean[length];
            kept = new byte[length];
            kept = new char[length];
            kept = new short[length];
            kept = new int[length];
            kept = new float[length];
            kept = new long[length];
            kept = new double[length];
        }
    }

    private static void references() {
        for (int length = 0; length < 20; length++) {
            kept = new String[length];
            kept = new int[length][];
        }
    }

    private static void nested() {
        kept = new int[2][3];
        kept = new String[2][3][4];
        kept = new byte[0][5];
        kept = new long[3][0][7];
        kept = new short[5][6][];
        kept = new boolean[1][1][1][1];
    }

    private static void derived() {
        kept = new Derived(5);
    }

    private static void finalizable() {
        kept = new Finalizable();
    }

    private static void many() {
        for (int i = 0; i < TIMES; i++) {
            kept = new Holder();
            kept = new long[i % 10];
        }
    }

    private static void ofHidden(Supplier<?> hidden) {
        kept = hidden.get();
    }

    private static void ofFirst(Supplier<?> maker) {
        kept = maker.get();
    }

    private static void ofSecond(Supplier<?> maker) {
        kept = maker.get();
    }

    /** Allocates nothing but the exception. */
    private static void negative() {
        try {
            kept = new int[-1];
        } catch (NegativeArraySizeException expected) {
            return;
        }
        throw new AssertionError();
    }

    private static byte[] file(String name) throws IOException {
        try (InputStream in = Bytes.class.getResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        }
    }

    private static Supplier<?> hidden() throws Exception {
        MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(file("Bytes$Hidden"), true);
        return (Supplier<?>) lookup.lookupClass().getConstructor().newInstance();
    }

    /** A maker whose class {@code ItemX} is the one of that number under another name. */
    private static Supplier<?> maker(char number) throws Exception {
        ClassLoader loader = new ClassLoader(Bytes.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                Class<?> known = findLoadedClass(name);
                if (known != null || !name.equals("Bytes$Maker") && !name.equals("Bytes$ItemX")) {
                    return known != null ? known : super.loadClass(name, resolve);
                }
                try {
                    byte[] bytes = file(name.replace('X', number));
                    String text = new String(bytes, StandardCharsets.ISO_8859_1);
                    bytes = text.replace("Item" + number, "ItemX").getBytes(StandardCharsets.ISO_8859_1);
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException error) {
                    throw new ClassNotFoundException(name, error);
                }
            }
        };
        Class.forName("Bytes$ItemX", true, loader);
        return (Supplier<?>) loader.loadClass("Bytes$Maker").getConstructor().newInstance();
    }
}
