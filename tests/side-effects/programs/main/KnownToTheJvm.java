import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.VarHandle;
import java.lang.invoke.VolatileCallSite;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.AccessController;
import java.security.MessageDigest;
import java.security.PrivilegedAction;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Every class whose objects the JVM accesses by itself is written by the JVM and read by
 * bytecode, and the other way round: a section for each, often enough to be compiled.
 */
public class KnownToTheJvm {
    static final int OFTEN = 6_000;

    interface Section {
        Object run() throws Throwable;
    }

    static void section(String name, Section section) {
        Object result;
        try {
            result = section.run();
        } catch (Throwable thrown) {
            result = "throws " + thrown;
            thrown.printStackTrace();
        }
        System.out.println(name + ": " + result);
    }

    @SuppressWarnings({"removal", "deprecation"})
    public static void main(String[] arguments) {
        section("boxes in arrays", KnownToTheJvm::boxesInArrays);
        section("boxes of calls", KnownToTheJvm::boxesOfCalls);
        section("boxes of constructors", KnownToTheJvm::boxesOfConstructors);
        section("boxes of fields", KnownToTheJvm::boxesOfFields);
        section("boxes of annotations", KnownToTheJvm::boxesOfAnnotations);
        section("boxes of handles", KnownToTheJvm::boxesOfHandles);
        section("boxes of proxies", KnownToTheJvm::boxesOfProxies);
        section("boxes that compiled code left out", KnownToTheJvm::boxesLeftOut);
        section("caches of boxes", KnownToTheJvm::cachesOfBoxes);
        section("objects that compiled code left out", KnownToTheJvm::objectsLeftOut);
        section("String", KnownToTheJvm::strings);
        section("Class", KnownToTheJvm::classes);
        section("Thread", KnownToTheJvm::threads);
        section("Throwable", KnownToTheJvm::throwables);
        section("StackTraceElement", KnownToTheJvm::stackTraces);
        section("StackFrameInfo", KnownToTheJvm::stackWalks);
        section("Reference", KnownToTheJvm::references);
        section("MethodHandle and its members", KnownToTheJvm::methodHandles);
        section("call sites", KnownToTheJvm::callSites);
        section("VarHandle", KnownToTheJvm::varHandles);
        section("Method, Field, Constructor, Parameter", KnownToTheJvm::reflection);
        section("records", KnownToTheJvm::records);
        section("Module", KnownToTheJvm::modules);
        section("AccessControlContext", () -> {
            int sum = 0;
            for (int i = 0; i < OFTEN; i++) {
                int j = i;
                sum += AccessController.doPrivileged((PrivilegedAction<Integer>) () -> j % 7);
            }
            return sum;
        });
        section("management", KnownToTheJvm::management);
        section("buffers", KnownToTheJvm::buffers);
        section("offsets that are kept", KnownToTheJvm::keptOffsets);
        section("classes that intrinsics read", KnownToTheJvm::intrinsics);
        section("clones", KnownToTheJvm::clones);
        section("assertions", () -> KnownToTheJvm.class.desiredAssertionStatus());
        section("continuations", KnownToTheJvm::continuations);
    }

    // Boxes.

    static Object boxesInArrays() {
        Object[] arrays = {
            new boolean[] {true, false}, new byte[] {9, -9}, new char[] {'z', '\uffee'},
            new short[] {300, -300}, new int[] {70_000, -70_000}, new long[] {1L << 40, -1},
            new float[] {1.5f, -0f}, new double[] {2.5, -1e300}
        };
        Object[] boxes = {true, (byte) 7, 'k', (short) 777, 1 << 30, 1L << 50, 3.5f, 4.5};
        StringBuilder said = new StringBuilder();
        for (int i = 0; i < OFTEN; i++) {
            said.setLength(0);
            for (int kind = 0; kind < arrays.length; kind++) {
                said.append(Array.get(arrays[kind], 0)).append(Array.get(arrays[kind], 1));
                Object made = Array.newInstance(arrays[kind].getClass().getComponentType(), 2);
                Array.set(made, 1, boxes[kind]);
                said.append(Array.get(made, 0)).append(Array.get(made, 1)).append(' ');
            }
        }
        return said;
    }

    public static boolean yes() { return true; }
    public static byte eight() { return -5; }
    public static char letter() { return 'x'; }
    public static short sixteen() { return 300; }
    public static int thirtyTwo() { return 70_000; }
    public static long sixtyFour() { return 1L << 40; }
    public static float single() { return 1.5f; }
    public static double twice() { return 2.5; }
    public static String all(boolean z, byte b, char c, short s, int i, long l, float f, double d) {
        return "" + z + b + c + s + i + l + f + d;
    }
    public static String many(boolean... values) { return Arrays.toString(values); }
    public boolean isAbove(int limit) { return limit < 3; }

    static Object boxesOfCalls() throws Exception {
        StringBuilder said = new StringBuilder();
        String[] names = {
            "yes", "eight", "letter", "sixteen", "thirtyTwo", "sixtyFour", "single", "twice"
        };
        Method all = KnownToTheJvm.class.getMethod("all", boolean.class, byte.class, char.class,
            short.class, int.class, long.class, float.class, double.class);
        Method many = KnownToTheJvm.class.getMethod("many", boolean[].class);
        Method above = KnownToTheJvm.class.getMethod("isAbove", int.class);
        for (int i = 0; i < 40; i++) {
            // The first calls take the JVM's way, later ones generated code.
            for (String name : names) {
                said.append(KnownToTheJvm.class.getMethod(name).invoke(null));
            }
            said.append(all.invoke(null, true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6.0));
            said.append(many.invoke(null, (Object) new boolean[] {true, false, i > 20}));
            said.append(above.invoke(new KnownToTheJvm(), i)).append('\n');
        }
        return said.toString().lines().distinct().toList() + " " + said.toString().hashCode();
    }

    public static class Made {
        final String of;
        public Made(boolean z, char c, short s, byte b) { of = "" + z + c + s + b; }
        public Made(long l, float f, double d, int i) { of = "" + l + f + d + i; }
    }

    @SuppressWarnings("removal")
    static Object boxesOfConstructors() throws Exception {
        StringBuilder said = new StringBuilder();
        Constructor<Made> small =
            Made.class.getConstructor(boolean.class, char.class, short.class, byte.class);
        Constructor<Made> large =
            Made.class.getConstructor(long.class, float.class, double.class, int.class);
        for (int i = 0; i < 40; i++) {
            said.append(Character.class.getConstructor(char.class).newInstance('y'));
            said.append(Short.class.getConstructor(short.class).newInstance((short) 3));
            said.append(Boolean.class.getConstructor(boolean.class).newInstance(true));
            said.append(Byte.class.getConstructor(byte.class).newInstance((byte) 4));
            said.append(Integer.class.getConstructor(int.class).newInstance(5));
            said.append(Long.class.getConstructor(long.class).newInstance(6L));
            said.append(Float.class.getConstructor(float.class).newInstance(7f));
            said.append(Double.class.getConstructor(double.class).newInstance(8.0));
            said.append(small.newInstance(true, 'q', (short) 9, (byte) 10).of);
            said.append(large.newInstance(11L, 12f, 13.0, 14).of).append('\n');
        }
        return said.toString().lines().distinct().toList();
    }

    public static class Fields {
        public boolean z = true; public byte b = 1; public char c = 'c'; public short s = 2;
        public int i = 3; public long l = 4; public float f = 5; public double d = 6;
        public volatile int counted; public volatile long summed; public volatile Object kept = "";
        public static boolean zs = true; public static char cs = 's';
    }

    static Object boxesOfFields() throws Exception {
        StringBuilder said = new StringBuilder();
        Object[] boxes = {false, (byte) -1, 'd', (short) -2, -3, -4L, -5f, -6.0};
        for (int i = 0; i < 200; i++) {
            said.setLength(0);
            Fields fields = new Fields();
            for (int kind = 0; kind < boxes.length; kind++) {
                Field field = Fields.class.getField("zbcsilfd".substring(kind, kind + 1));
                said.append(field.get(fields));
                field.set(fields, boxes[kind]);
                said.append(field.get(fields)).append(' ');
            }
            said.append(Fields.class.getField("zs").get(null)).append(Fields.class.getField("cs").get(null));
            said.append(fields.z).append(fields.b).append(fields.c).append(fields.s).append(fields.d);
        }
        return said;
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Marked {
        boolean z() default true; byte b() default 1; char c() default 'c'; short s() default 2;
        int i() default 3; long l() default 4; float f() default 5; double d() default 6;
        char[] cs() default {'a', 'b'}; boolean[] zs() default {true};
    }

    @Marked(z = false, c = 'q')
    static class IsMarked { }

    static Object boxesOfAnnotations() throws Exception {
        Marked marked = IsMarked.class.getAnnotation(Marked.class);
        // Text of the whole has the elements in the order of identity hashes.
        return "" + marked.z() + marked.b() + marked.c() + marked.s() + marked.i() + marked.l() + marked.f()
            + marked.d() + Arrays.toString(marked.cs()) + Arrays.toString(marked.zs())
            + marked.toString().length() + marked.equals(marked) + marked.hashCode()
            + Marked.class.getMethod("c").getDefaultValue();
    }

    static Object boxesOfHandles() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle all = lookup.findStatic(KnownToTheJvm.class, "all", MethodType.methodType(
            String.class, boolean.class, byte.class, char.class, short.class, int.class,
            long.class, float.class, double.class));
        MethodHandle boxed = all.asType(all.type().wrap().changeReturnType(Object.class));
        MethodHandle spread = boxed.asSpreader(Object[].class, 8);
        MethodHandle yes = lookup.findStatic(KnownToTheJvm.class, "yes", MethodType.methodType(boolean.class))
            .asType(MethodType.methodType(Object.class));
        Object[] arguments = {true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6.0};
        int sum = 0;
        String last = "";
        for (int i = 0; i < OFTEN; i++) {
            last = (String) (Object) spread.invoke(arguments) + (Object) yes.invoke();
            sum += last.length();
        }
        return last + boxed.invokeWithArguments(arguments) + sum;
    }

    interface Gives {
        boolean z(boolean z); byte b(byte b); char c(char c); short s(short s);
        int i(int i); long l(long l); float f(float f); double d(double d);
    }

    static Object boxesOfProxies() {
        Gives gives = (Gives) Proxy.newProxyInstance(Gives.class.getClassLoader(),
            new Class<?>[] {Gives.class}, (proxy, method, arguments) -> arguments[0]);
        StringBuilder said = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            said.setLength(0);
            said.append(gives.z(true)).append(gives.z(false)).append(gives.b((byte) i))
                .append(gives.c((char) ('a' + i % 26))).append(gives.s((short) i))
                .append(gives.i(i)).append(gives.l(i)).append(gives.f(i)).append(gives.d(i));
        }
        return said;
    }

    static Object sink;

    /** While `rare` is false C2 makes no box; when it is true for once, the JVM does. */
    static int leavesOut(int i, boolean rare) {
        Boolean z = (i & 1) == 0; Byte b = (byte) i; Character c = (char) (i % 1_000);
        Short s = (short) i; Integer n = i; Long l = (long) i; Float f = (float) i; Double d = (double) i;
        if (rare) {
            sink = "" + z + b + c + s + n + l + f + d;
            sink = sink + " " + (Object) z + (Object) c + List.of(b, s, n, l, f, d);
        }
        return (z ? 1 : 0) + b + c + s + n + l.intValue() + f.intValue() + d.intValue();
    }

    static Object boxesLeftOut() {
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            sum += leavesOut(i, false);
        }
        StringBuilder said = new StringBuilder().append(sum);
        for (int i = 65; i < 70_000; i += 20_000) {
            leavesOut(i, true);
            said.append(' ').append(sink);
        }
        return said;
    }

    static Object cachesOfBoxes() {
        int same = 0;
        for (int i = -200; i < 300; i++) {
            int j = i;
            same += Integer.valueOf(i) == Integer.valueOf(j) ? 1 : 0;
            same += Long.valueOf(i) == Long.valueOf(j) ? 1_000 : 0;
            same += Character.valueOf((char) (i + 200)) == Character.valueOf((char) (j + 200)) ? 1 : 0;
            same += Byte.valueOf((byte) i) == Byte.valueOf((byte) j) ? 1 : 0;
        }
        return same + " " + (Boolean.valueOf(true) == Boolean.TRUE) + Integer.valueOf(-128) + Character.valueOf('a');
    }

    static class Parts {
        boolean z; byte b; char c; short s; int i; long l; float f; double d; Object o; int[] a;
        Parts(int n) {
            z = n % 3 == 0; b = (byte) n; c = (char) n; s = (short) n; i = n; l = n; f = n; d = n;
            o = this.a = null;
        }
        @Override public String toString() { return "" + z + b + (int) c + s + i + l + f + d + o + a; }
    }

    static int leavesOutParts(int i, boolean rare) {
        Parts parts = new Parts(i);
        Parts[] both = {parts, new Parts(i + 1)};
        StringBuilder text = new StringBuilder().append(i);
        Object lock = new Object();
        synchronized (lock) {
            if (rare) {
                sink = parts + " " + both[1] + text + (both[0] == parts) + Thread.holdsLock(lock);
            }
        }
        return both[0].i + both[1].b + text.length();
    }

    static Object objectsLeftOut() {
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            sum += leavesOutParts(i, false);
        }
        leavesOutParts(70, true);
        return sum + " " + sink;
    }

    // Others.

    static Object strings() throws Exception {
        int sum = 0;
        for (int i = 0; i < OFTEN; i++) {
            String latin = "name" + i;
            String wide = "\u4e2d" + latin;
            sum += latin.hashCode() + wide.hashCode() + wide.substring(1).hashCode() - latin.hashCode();
            sum += latin.intern() == ("name" + i).intern() ? 1 : 0;
            sum += latin.equals(wide) ? 1 : latin.compareTo(wide) + latin.indexOf('e') + wide.indexOf("me");
            sum += new String(wide.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).equals(wide) ? 1 : 0;
            sum += latin.toUpperCase().toLowerCase().repeat(2).strip().isBlank() ? 1 : 0;
            switch (latin) { case "name7" -> sum += 1_000_000; case "name8" -> sum += 1; default -> { } }
        }
        return sum + Class.forName("java.lang.String").getName() + System.getProperty("java.specification.vendor")
            + new String(new char[] {'a', '\u00e9', '\u0416'}) + System.identityHashCode(null);
    }

    static Object classes() throws Throwable {
        int sum = 0;
        Object[] objects = {1, "a", 'c', new int[0], new String[0][0], KnownToTheJvm.class};
        for (int i = 0; i < OFTEN; i++) {
            Object object = objects[i % objects.length];
            Class<?> type = object.getClass();
            sum += type.getModifiers() + (type.isArray() ? type.getComponentType().getName().length() : 0)
                + (Number.class.isInstance(object) ? 1 : 0) + (type.isPrimitive() ? 1 : 0)
                + (Comparable.class.isAssignableFrom(type) ? 2 : 0) + (type.isHidden() ? 1 : 0)
                + (type.getSuperclass() == Object.class ? 4 : 0) + type.cast(object).getClass().getName().length();
        }
        Runnable lambda = () -> { };
        return sum + " " + lambda.getClass().isHidden() + int.class + void.class + Boolean.TYPE
            + Arrays.toString(Map.Entry.class.getDeclaringClass().getInterfaces())
            + Class.forName("[[I") + KnownToTheJvm.class.getNestHost() + Parts.class.getEnclosingClass()
            + KnownToTheJvm.class.getPackageName() + KnownToTheJvm.class.getProtectionDomain().getPermissions().getClass()
            + Arrays.toString(Thread.State.class.getEnumConstants());
    }

    static Object threads() throws Exception {
        StringBuilder said = new StringBuilder();
        InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
        inherited.set("handed down");
        for (int i = 0; i < 5; i++) {
            int n = i;
            CountDownLatch goes = new CountDownLatch(1);
            Thread thread = new Thread(() -> {
                Thread own = Thread.currentThread();
                synchronized (said) {
                    said.append(own.getName()).append(own.getPriority()).append(own.isDaemon())
                        .append(inherited.get()).append(own.getThreadGroup().getName());
                }
                goes.countDown();
                LockSupport.park("blocker " + n);
                while (!Thread.interrupted()) {
                    LockSupport.park("blocker " + n);
                }
            }, "worker " + i);
            thread.setPriority(3 + i);
            thread.setDaemon(i % 2 == 0);
            thread.setContextClassLoader(null);
            said.append(thread.getState());
            thread.start();
            goes.await();
            while (thread.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
            said.append(LockSupport.getBlocker(thread)).append(thread.getStackTrace().length > 2)
                .append(thread.isAlive()).append(thread.getContextClassLoader());
            thread.interrupt();
            thread.join();
            said.append(thread.getState()).append(thread.isInterrupted()).append(' ');
        }
        return said;
    }

    static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
    static int endless(int n) { return endless(n + 1) + 1; }

    static String raise(int kind, Object none, int[] few, Object text) {
        try {
            switch (kind) {
                case 0: return none.toString();
                case 1: return "" + few[9];
                case 2: return "" + 1 / few[0];
                case 3: return "" + (Integer) text;
                case 4: return "" + new int[few[1]].length;
                case 5: return "" + endless(0);
                case 6: ((Object[]) new String[1])[0] = 1; return "";
                case 7: throw new IllegalStateException("own", new RuntimeException("cause"));
                default: return "" + Class.forName("not.There");
            }
        } catch (Throwable thrown) {
            String message = thrown.getMessage();
            return thrown.getClass().getSimpleName() + (kind == 3 ? message != null : message) + thrown.getCause()
                + (thrown.getStackTrace().length > 0);
        }
    }

    static Object throwables() {
        StringBuilder said = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            for (int kind = 0; kind < 9; kind++) {
                said.append(raise(kind, null, new int[] {0, -1}, "text"));
            }
            said.append('\n');
        }
        Throwable first = new Throwable("first");
        first.addSuppressed(new Error("second"));
        return said.toString().lines().distinct().toList() + Arrays.toString(first.getSuppressed()) + deep(500);
    }

    static Object stackTraces() {
        StringBuilder said = new StringBuilder();
        try {
            List.of(3, 1, 2).stream().map(i -> 6 / (i - 1)).toList();
        } catch (ArithmeticException thrown) {
            for (StackTraceElement element : thrown.getStackTrace()) {
                if (element.getMethodName().equals("section") || element.getMethodName().equals("main")) {
                    // Active when recording ends, and without a line from then on.
                    said.append(element.getMethodName());
                } else if (element.getClassName().startsWith("java.util")) {
                    said.append(element.getModuleName()).append(element.getFileName()).append(element.getLineNumber() > 0)
                        .append(element.getClassLoaderName());
                } else {
                    said.append(element.toString().replaceAll("\\$\\$Lambda.*", "Lambda"));
                }
                said.append(' ');
            }
        }
        return said;
    }

    static Object stackWalks() {
        Object said = "";
        for (int i = 0; i < 2_000; i++) {
            said = walked();
        }
        return said;
    }

    /** Frames that are active when recording ends have no lines afterwards; these are new ones. */
    static String walked() {
        StackWalker walker = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
        return walker.walk(frames -> frames.limit(2).map(frame -> frame.getDeclaringClass().getSimpleName() + "."
            + frame.getMethodName() + frame.getMethodType().parameterCount() + frame.isNativeMethod()
            + (frame.getMethodName().equals("walked") ? frame.getLineNumber() : 0)).toList().toString())
            + walker.getCallerClass();
    }

    static Object references() throws Exception {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Map<Reference<?>, String> names = new HashMap<>();
        Object[] held = new Object[100];
        Cleaner cleaner = Cleaner.create();
        int[] cleaned = {0};
        for (int i = 0; i < 100; i++) {
            Object object = new byte[100];
            names.put(new WeakReference<>(object, queue), "weak");
            names.put(new PhantomReference<>(object, queue), "phantom");
            Object tracked = new Object();
            cleaner.register(tracked, () -> { synchronized (cleaned) { cleaned[0]++; cleaned.notifyAll(); } });
            held[i] = i % 2 == 0 ? object : null;
        }
        SoftReference<Object> soft = new SoftReference<>("soft" + held.length);
        Map<String, Integer> enqueued = new HashMap<>();
        for (int tries = 0; tries < 200 && enqueued.getOrDefault("weak", 0) + enqueued.getOrDefault("phantom", 0) < 100; tries++) {
            System.gc();
            for (Reference<?> found = queue.remove(20); found != null; found = queue.poll()) {
                enqueued.merge(names.get(found) + (found.get() == null), 1, Integer::sum);
                enqueued.merge(names.get(found), 1, Integer::sum);
            }
        }
        synchronized (cleaned) {
            for (int tries = 0; tries < 200 && cleaned[0] < 100; tries++) {
                System.gc();
                cleaned.wait(20);
            }
        }
        long there = names.keySet().stream().filter(reference -> reference instanceof WeakReference && reference.get() != null).count();
        Reference.reachabilityFence(held);
        return new java.util.TreeMap<>(enqueued) + " " + there + soft.get() + cleaned[0];
    }

    static Object methodHandles() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle length = lookup.findVirtual(String.class, "length", MethodType.methodType(int.class));
        MethodHandle make = lookup.findConstructor(StringBuilder.class, MethodType.methodType(void.class, String.class));
        MethodHandle add = MethodHandles.insertArguments(
            lookup.findStatic(Math.class, "addExact", MethodType.methodType(int.class, int.class, int.class)), 1, 5);
        MethodHandle chosen = MethodHandles.guardWithTest(
            lookup.findVirtual(String.class, "isEmpty", MethodType.methodType(boolean.class)),
            MethodHandles.dropArguments(MethodHandles.constant(int.class, -1), 0, String.class),
            MethodHandles.filterReturnValue(length, add));
        MethodHandle caught = MethodHandles.catchException(
            lookup.findStatic(Integer.class, "parseInt", MethodType.methodType(int.class, String.class)),
            NumberFormatException.class,
            MethodHandles.dropArguments(MethodHandles.constant(int.class, 42), 0, NumberFormatException.class));
        int sum = 0;
        for (int i = 0; i < OFTEN; i++) {
            String text = i % 5 == 0 ? "" : "text" + i;
            String number = i % 3 == 0 ? text : "17";
            sum += (int) chosen.invokeExact(text) + (int) caught.invokeExact(number)
                + ((StringBuilder) make.invokeExact(text)).length();
        }
        return sum + " " + chosen.type() + lookup.revealDirect(length).getName() + lookup.revealDirect(make).getReferenceKind();
    }

    static int one() { return 1; }
    static int two() { return 2; }

    static Object callSites() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType type = MethodType.methodType(int.class);
        MethodHandle one = lookup.findStatic(KnownToTheJvm.class, "one", type);
        MethodHandle two = lookup.findStatic(KnownToTheJvm.class, "two", type);
        MutableCallSite mutable = new MutableCallSite(one);
        VolatileCallSite changing = new VolatileCallSite(two);
        MethodHandle[] all = {mutable.dynamicInvoker(), changing.dynamicInvoker(), new ConstantCallSite(two).dynamicInvoker()};
        int sum = 0;
        for (int i = 0; i < 40_000; i++) {
            for (MethodHandle handle : all) {
                sum += (int) handle.invokeExact();
            }
            if (i % 10_000 == 9_999) {
                mutable.setTarget(i % 20_000 == 9_999 ? two : one);
                MutableCallSite.syncAll(new MutableCallSite[] {mutable});
                changing.setTarget(i % 20_000 == 9_999 ? one : two);
            }
        }
        return sum;
    }

    static Object varHandles() throws Exception {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        VarHandle z = lookup.findVarHandle(Fields.class, "z", boolean.class);
        VarHandle b = lookup.findVarHandle(Fields.class, "b", byte.class);
        VarHandle c = lookup.findVarHandle(Fields.class, "c", char.class);
        VarHandle i = lookup.findVarHandle(Fields.class, "i", int.class);
        VarHandle l = lookup.findVarHandle(Fields.class, "l", long.class);
        VarHandle d = lookup.findVarHandle(Fields.class, "d", double.class);
        VarHandle kept = lookup.findVarHandle(Fields.class, "kept", Object.class);
        VarHandle cs = lookup.findStaticVarHandle(Fields.class, "cs", char.class);
        VarHandle elements = MethodHandles.arrayElementVarHandle(short[].class);
        VarHandle view = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
        Fields fields = new Fields();
        short[] shorts = new short[4];
        byte[] bytes = new byte[16];
        for (int n = 0; n < OFTEN; n++) {
            z.setVolatile(fields, n % 2 == 0);
            z.compareAndSet(fields, true, false);
            b.getAndAdd(fields, (byte) 3);
            c.setRelease(fields, (char) n);
            i.getAndAdd(fields, 2);
            l.compareAndSet(fields, (long) l.get(fields), (long) n);
            d.setOpaque(fields, n / 2.0);
            kept.compareAndExchange(fields, kept.getAcquire(fields), Integer.valueOf(n));
            cs.set((char) ('a' + n % 26));
            elements.getAndAdd(shorts, n % 4, (short) 7);
            view.set(bytes, n % 8, (long) n);
        }
        return "" + fields.z + fields.b + (int) fields.c + fields.i + fields.l + fields.d + fields.kept + Fields.cs
            + Arrays.toString(shorts) + Arrays.toString(bytes);
    }

    static class Generic<T extends Comparable<T>> {
        @Deprecated public <X extends Exception> T take(final List<? super T> list, int... more) throws X { return null; }
    }

    static Object reflection() throws Exception {
        StringBuilder said = new StringBuilder();
        Method take = Generic.class.getMethods()[0].getName().equals("take") ? Generic.class.getMethods()[0]
            : Generic.class.getMethod("take", List.class, int[].class);
        said.append(take.toGenericString()).append(Arrays.toString(take.getParameters())).append(take.isVarArgs())
            .append(Arrays.toString(take.getAnnotations())).append(take.getModifiers()).append(take.isBridge());
        Field size = Parts.class.getDeclaredField("l");
        said.append(size).append(size.getModifiers()).append(size.isSynthetic());
        for (Field field : Parts.class.getDeclaredFields()) {
            said.append(field.getName()).append(field.getType());
        }
        said.append(Arrays.toString(Made.class.getConstructors().clone()).length());
        try {
            KnownToTheJvm.class.getMethod("all", boolean.class);
        } catch (NoSuchMethodException thrown) {
            said.append(thrown.getMessage());
        }
        try {
            KnownToTheJvm.class.getDeclaredMethod("raise", int.class, Object.class, int[].class, Object.class).invoke(null, 1, 2);
        } catch (IllegalArgumentException thrown) {
            said.append(thrown.getMessage());
        }
        try {
            Integer.class.getMethod("parseInt", String.class).invoke(null, "no number");
        } catch (InvocationTargetException thrown) {
            said.append(thrown.getCause().getMessage());
        }
        return said;
    }

    record Point(int x, char name, boolean is, double far, List<String> all) { }

    static Object records() throws Exception {
        StringBuilder said = new StringBuilder();
        for (RecordComponent component : Point.class.getRecordComponents()) {
            said.append(component).append(component.getGenericType())
                .append(component.getAccessor().invoke(new Point(1, 'n', true, 2.5, List.of("a"))));
        }
        int sum = 0;
        for (int i = 0; i < OFTEN; i++) {
            Point point = new Point(i, (char) i, i % 2 == 0, i, List.of());
            sum += point.hashCode() + (point.equals(new Point(i, (char) i, i % 2 == 0, i, List.of())) ? 1 : 0) + point.toString().length();
        }
        return said.append(sum);
    }

    static Object modules() {
        Module base = Object.class.getModule();
        Module own = KnownToTheJvm.class.getModule();
        return "" + base + own.isNamed() + base.isExported("java.lang") + base.isOpen("java.lang", own)
            + own.canRead(base) + base.getDescriptor().name() + Object.class.getPackage()
            + ModuleLayer.boot().findModule("java.base").isPresent() + base.getClassLoader();
    }

    static Object management() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Object monitor = new Object();
        StringBuilder said = new StringBuilder();
        lock.lock();
        Thread waits;
        try {
            waits = new Thread(() -> { synchronized (monitor) { lock.lock(); lock.unlock(); } }, "waits");
            waits.start();
            while (!lock.hasQueuedThread(waits) || waits.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
            ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(new long[] {waits.getId()}, true, true)[0];
            said.append(info.getThreadName()).append(info.getThreadState()).append(info.getLockOwnerName())
                .append(info.getLockInfo().getClassName()).append(info.getLockedMonitors().length)
                .append(info.getLockedMonitors()[0].getLockedStackFrame().getMethodName().startsWith("lambda"))
                .append(info.getLockedSynchronizers().length);
        } finally {
            lock.unlock();
        }
        waits.join();
        said.append(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() > 0)
            .append(ManagementFactory.getMemoryPoolMXBeans().get(0).getUsage().getCommitted() > 0)
            .append(ManagementFactory.getRuntimeMXBean().getVmVendor() != null);
        return said;
    }

    static Object buffers() {
        ByteBuffer direct = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer heap = ByteBuffer.allocate(64);
        long sum = 0;
        for (int i = 0; i < OFTEN; i++) {
            direct.clear().putInt(i).putChar((char) i).putDouble(i).put((byte) i).flip();
            heap.clear().put(direct).flip();
            sum += heap.getInt() + heap.getChar() + heap.limit() + heap.position() + direct.slice().capacity()
                + (long) direct.asReadOnlyBuffer().getDouble(6);
        }
        return sum + " " + direct + heap;
    }

    static Object keptOffsets() throws Exception {
        AtomicIntegerFieldUpdater<Fields> counted = AtomicIntegerFieldUpdater.newUpdater(Fields.class, "counted");
        AtomicLongFieldUpdater<Fields> summed = AtomicLongFieldUpdater.newUpdater(Fields.class, "summed");
        AtomicReferenceFieldUpdater<Fields, Object> kept =
            AtomicReferenceFieldUpdater.newUpdater(Fields.class, Object.class, "kept");
        Fields fields = new Fields();
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        for (int i = 0; i < OFTEN; i++) {
            counted.incrementAndGet(fields);
            summed.addAndGet(fields, i);
            kept.compareAndSet(fields, fields.kept, i % 100);
            map.merge(i % 97, 1, Integer::sum);
        }
        int sum = java.util.stream.IntStream.range(0, OFTEN).parallel().map(i -> i % 13).sum();
        return fields.counted + " " + fields.summed + fields.kept + map.size() + map.get(5) + sum;
    }

    static String hex(byte[] bytes) { return new BigInteger(1, bytes).toString(16); }

    static Object intrinsics() throws Exception {
        byte[] data = new byte[1_500];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) (i * 31);
        }
        StringBuilder said = new StringBuilder();
        for (String name : new String[] {"MD5", "SHA-1", "SHA-256", "SHA-512", "SHA3-256"}) {
            byte[] last = data;
            for (int i = 0; i < 60; i++) {
                MessageDigest digest = MessageDigest.getInstance(name);
                digest.update(last);
                last = digest.digest(data);
            }
            said.append(hex(last), 0, 8).append(' ');
        }
        SecretKeySpec key = new SecretKeySpec(Arrays.copyOf(data, 16), "AES");
        for (String name : new String[] {"AES/CBC/PKCS5Padding", "AES/CTR/NoPadding", "AES/GCM/NoPadding", "AES/ECB/PKCS5Padding"}) {
            byte[] last = data;
            for (int i = 0; i < 60; i++) {
                byte[] start = Arrays.copyOfRange(data, i, i + 16);
                for (int way : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
                    Cipher cipher = Cipher.getInstance(name);
                    if (name.contains("ECB")) {
                        cipher.init(way, key);
                    } else {
                        cipher.init(way, key, name.contains("GCM") ? new GCMParameterSpec(128, start) : new IvParameterSpec(start));
                    }
                    last = cipher.doFinal(last);
                    if (way == Cipher.ENCRYPT_MODE && i == 59) {
                        said.append(hex(last), 0, 8).append(' ');
                    }
                }
            }
            said.append(Arrays.equals(last, data));
        }
        CRC32 crc = new CRC32();
        CRC32C crc32c = new CRC32C();
        BigInteger number = new BigInteger(1, Arrays.copyOf(data, 64)).setBit(0);
        BigInteger power = BigInteger.valueOf(3);
        for (int i = 0; i < 200; i++) {
            crc.update(data, i, 1_000);
            crc32c.update(data, i, 1_000);
            power = power.modPow(BigInteger.valueOf(65_537), number).add(BigInteger.ONE);
        }
        return said.append(crc.getValue()).append(crc32c.getValue()).append(power.hashCode())
            .append(Arrays.hashCode(Base64.getDecoder().decode(Base64.getEncoder().encode(data))));
    }

    static class Cloned implements Cloneable {
        boolean z = true; byte b = 2; char c = 'c'; int[] a = {1, 2}; long l = 9; Object o = "o";
        Cloned copy() throws CloneNotSupportedException { return (Cloned) clone(); }
    }

    static Object clones() throws Exception {
        int sum = 0;
        for (int i = 0; i < OFTEN; i++) {
            Cloned cloned = new Cloned();
            cloned.b = (byte) i;
            Cloned copy = cloned.copy();
            sum += (copy.z ? 1 : 0) + copy.b + copy.c + copy.a.clone()[1] + (int) copy.l + copy.o.hashCode()
                + (copy.a == cloned.a ? 1 : 0);
        }
        return sum;
    }

    /** Virtual threads, where there are any, that are moved while the heap is collected. */
    static Object continuations() throws Exception {
        Method start;
        try {
            start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            start.invoke(null, (Runnable) () -> { });
        } catch (NoSuchMethodException | InvocationTargetException thrown) {
            return "not here";
        }
        int[] sum = {0};
        List<Thread> threads = new java.util.ArrayList<>();
        ReentrantLock lock = new ReentrantLock();
        for (int i = 0; i < 200; i++) {
            int n = i;
            threads.add((Thread) start.invoke(null, (Runnable) () -> {
                try {
                    Integer boxed = n;
                    Character letter = (char) ('a' + n % 26);
                    for (int step = 0; step < 3; step++) {
                        Thread.sleep(1);
                        lock.lock();
                        try {
                            sum[0] += boxed + letter + deep(n);
                        } finally {
                            lock.unlock();
                        }
                        synchronized (sum) {
                            Thread.yield();
                        }
                    }
                } catch (InterruptedException thrown) {
                    throw new IllegalStateException(thrown);
                }
            }));
            if (i % 50 == 0) {
                System.gc();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return sum[0];
    }
}
