import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import subsume.Profile;

/**
 * Walks its stack from within whatever can have a frame of Java code above it, and prints at which
 * instruction each frame stands. With an argument it also has recording start and stop meanwhile,
 * which does nothing without an agent.
 */
public class TellsCodeIndices {
    interface Section {
        void run() throws Throwable;
    }

    private static final StackWalker PLAIN = StackWalker.getInstance();
    private static final StackWalker WHOLE = StackWalker.getInstance(
            EnumSet.of(Option.RETAIN_CLASS_REFERENCE, Option.SHOW_HIDDEN_FRAMES));

    /** How often compiled code is walked through. */
    private static int rounds = 2_000;

    /** What the sections have printed. */
    private static StringBuilder out = new StringBuilder();

    public static void main(String[] arguments) throws Throwable {
        if (arguments.length == 0) {
            sections();
            System.out.print(out);
            return;
        }
        // The same before, while and after recording, and again.
        rounds = 100;
        sections();
        List<StackFrame> before = frames();
        begins(before);
        System.out.print(out);
    }

    /** Frames that are there before recording begins, and while it goes on. */
    private static void begins(List<StackFrame> before) throws Throwable {
        where("off");
        List<StackFrame> off = frames(); Profile.start(); where("begun"); kept("before", before);
        sections();
        kept("off", off);
        int depth = 1 + ends(frames(), frames()) + frames().size();
        where("off again " + (depth > 0)); kept("off", off); Profile.start();
        where("on again"); kept("off", off);
        Profile.stop();
    }

    private static int ends(List<StackFrame> one, List<StackFrame> other) throws Throwable {
        where("on"); List<StackFrame> on = frames(); where("on"); Profile.stop(); where("stopped");
        kept("one", one); kept("other", other); kept("on", on);
        List<StackFrame> stopped = frames(); Profile.start();
        where("begun in the midst"); kept("on", on); kept("stopped", stopped);
        sections();
        try {
            where("still"); Profile.stop();
        } finally {
            where("finally"); kept("one", one); kept("on", on); kept("stopped", stopped);
        }
        sections();
        return 0;
    }

    private static void sections() throws Throwable {
        section("calls", TellsCodeIndices::calls);
        section("constructors", TellsCodeIndices::constructors);
        section("one line", TellsCodeIndices::oneLine);
        section("exceptions", TellsCodeIndices::exceptions);
        section("loops", TellsCodeIndices::loops);
        section("switches", TellsCodeIndices::switches);
        section("recursion", () -> recursion(5));
        section("locks", TellsCodeIndices::locks);
        section("lambdas", TellsCodeIndices::lambdas);
        section("strings", TellsCodeIndices::strings);
        section("initialisers", TellsCodeIndices::initialisers);
        section("loaders", TellsCodeIndices::loaders);
        section("reflection", TellsCodeIndices::reflection);
        section("handles", TellsCodeIndices::handles);
        section("callbacks", TellsCodeIndices::callbacks);
        section("threads", TellsCodeIndices::threads);
        section("compiled", TellsCodeIndices::compiled);
    }

    private static void section(String name, Section section) throws Throwable {
        out.append(name).append('\n');
        section.run();
    }

    // What is printed.

    private static List<StackFrame> frames() {
        return PLAIN.walk(frames -> frames.skip(1).toList());
    }

    /** The frames below this one. */
    public static int where(String name) {
        print(name, PLAIN.walk(frames -> frames.skip(1).toList()));
        return 1;
    }

    /** The frames below, also hidden ones. Those of method handles depend on how often they were used. */
    private static int whole(String name) {
        print(name, WHOLE.walk(frames -> frames.skip(1)
                .filter(frame -> !frame.getClassName().startsWith("java.lang.invoke.")).toList()));
        return 1;
    }

    private static void kept(String name, List<StackFrame> frames) {
        out.append("kept, ");
        // Frames that run code which was replaced since have no lines, whichever agent it was.
        for (StackFrame frame : frames) {
            out.append(frame.getMethodName()).append(' ').append(frame.getByteCodeIndex()).append(' ');
        }
        out.append(name).append('\n');
    }

    private static void print(String name, List<StackFrame> frames) {
        out.append("  ").append(name).append(':');
        for (StackFrame frame : frames) {
            String method = frame.getClassName() + '.' + frame.getMethodName();
            // Hidden classes have addresses in their names, generated ones numbers.
            out.append(' ').append(method.replaceAll("[0-9]+/0x[0-9a-f]+|/0x[0-9a-f]+", "")
                    .replaceAll("Accessor[0-9]+", "Accessor")).append(' ')
                    .append(frame.getByteCodeIndex());
            if (frame.isNativeMethod()) {
                out.append(" native");
            }
            if (method.startsWith("TellsCodeIndices.sections")) {
                break;
            }
        }
        out.append('\n');
    }

    // Calls of all kinds.

    interface Shape {
        int area(String name);

        default int twice(String name) {
            return area(name) + area(name);
        }

        static int none(String name) {
            return where(name);
        }
    }

    static class Square implements Shape {
        @Override
        public int area(String name) {
            return where(name) + hidden(name);
        }

        private int hidden(String name) {
            return where(name);
        }

        int scaled(int factor) {
            return factor * whole("scaled");
        }
    }

    static class Cube extends Square {
        @Override
        public int area(String name) {
            return 6 * super.area(name);
        }

        @Override
        public String toString() {
            return "cube " + whole("toString");
        }
    }

    private static void calls() {
        Shape shape = new Cube();
        Square square = new Square();
        int sum = shape.area("interface") + square.area("virtual");
        sum += shape.twice("default") + Shape.none("static of an interface");
        long wide = where("static") + 3L * square.hidden("private");
        double real = wide * 1.5 + where("in a sum");
        out.append(sum).append(wide).append(real).append('\n');
    }

    static class Base {
        final int first = where("initialiser");
        final int second;

        Base(int argument) {
            this(argument, where("argument"));
            where("behind this()");
        }

        Base(int argument, int other) {
            second = argument + other + where("constructor");
        }
    }

    static class Derived extends Base {
        {
            where("block");
        }

        Derived() {
            super(where("argument of super()"));
            where("behind super()");
            if (second > 100) {
                throw new IllegalStateException("not so many");
            }
        }
    }

    private static void constructors() {
        new Derived();
        Base base = new Base(where("outside")) {
            final int third = where("anonymous");
        };
        Supplier<Base> make = () -> new Base(7, where("lambda"));
        out.append(make.get().second + base.first).append('\n');
    }

    private static int oneLine(int a, int b) { return where("a") + (a > b ? where("b") : where("c")) * where("d"); }

    private static void oneLine() {
        int a = oneLine(1, 2), b = oneLine(2, 1); a += oneLine(a, b) + oneLine(b, a); b -= where("last"); where("really last");
        out.append(a + b).append('\n');
    }

    private static int fails(String name) {
        where(name);
        throw new IllegalArgumentException(name);
    }

    private static void exceptions() {
        int caught = 0;
        for (int round = 0; round < 3; round++) {
            try {
                try {
                    where("in try");
                    if (round == 1) {
                        fails("throws");
                    }
                    int[] array = new int[round];
                    array[1] = where("stored") / (round == 2 ? caught - 2 : 1);
                } catch (ArrayIndexOutOfBoundsException e) {
                    caught += where("index");
                } finally {
                    caught += where("inner finally");
                    try {
                        fails("in finally");
                    } catch (IllegalArgumentException e) {
                        where("caught in finally");
                    }
                }
            } catch (IllegalArgumentException | ArithmeticException e) {
                caught += where("outer");
                continue;
            } finally {
                where("outer finally");
            }
            where("behind");
        }
        try (Closes one = new Closes("one"); Closes two = new Closes("two")) {
            where("resources");
            throw new IllegalStateException(one.name + two.name);
        } catch (IllegalStateException e) {
            out.append(e.getSuppressed().length).append(caught).append('\n');
        }
    }

    record Closes(String name) implements AutoCloseable {
        @Override
        public void close() {
            where("close " + name);
            throw new UnsupportedOperationException(name);
        }
    }

    private static void loops() {
        int sum = 0;
        outer:
        for (int i = 0; i < 3; i++) {
            int j = 0;
            do {
                if (i == 1 && where("condition") > 0) {
                    continue outer;
                }
                sum += where("body");
            } while (j++ < where("end"));
            for (String text : List.of("x", "y")) {
                while (sum % 5 != 0 & where(text) > 0) {
                    sum++;
                }
            }
        }
        for (int step = 0; step < 2; step += where("step")) {
            sum -= step;
        }
        out.append(sum).append('\n');
    }

    private static int choose(int number, String text) {
        int sum = 0;
        switch (number + where("table")) {
            case 1: sum += where("one");
            case 2: sum += where("two"); break;
            case 3: return where("three");
            default: sum += where("default");
        }
        switch (number * 1000 - where("lookup")) {
            case -1 -> sum += where("none");
            case 1999 -> sum += where("two thousand");
            default -> sum += where("another");
        }
        sum += switch (text) {
            case "a" -> where("letter a");
            case "Aa", "BB" -> where("equal hashes");
            default -> {
                int more = where("any");
                yield more + where("text");
            }
        };
        return sum + where("end");
    }

    private static void switches() {
        int sum = 0;
        String[] texts = {"a", "Aa", "BB", "other"};
        for (int number = 0; number < 4; number++) {
            sum += choose(number, texts[number]);
        }
        out.append(sum).append('\n');
    }

    private static int recursion(int depth) {
        if (depth == 0) {
            return where("bottom");
        }
        return depth % 2 == 0 ? recursion(depth - 1) + 1 : 2 * recursion(depth - 1);
    }

    private static synchronized int locked(Object lock) {
        synchronized (lock) {
            where("one");
            synchronized (out) {
                where("two");
            }
            return where("one again");
        }
    }

    private static void locks() {
        Object lock = new Object();
        int sum = locked(lock);
        synchronized (lock) {
            sum += locked(lock);
        }
        out.append(sum).append('\n');
    }

    private static void lambdas() throws Exception {
        IntSupplier plain = () -> whole("plain");
        String captured = "captured" + out.length() % 1;
        IntSupplier capturing = () -> where(captured) + whole(captured);
        IntUnaryOperator reference = new Square()::scaled;
        Callable<Integer> nested = () -> {
            IntSupplier inner = () -> where("nested");
            return inner.getAsInt() + capturing.getAsInt();
        };
        int sum = plain.getAsInt() + capturing.getAsInt() + reference.applyAsInt(1) + nested.call();
        sum += IntStream.range(0, 2).map(i -> where("stream")).sum();
        sum += Stream.of("b", "a").sorted((a, b) -> where("compares")).mapToInt(String::length).sum();
        out.append(sum).append('\n');
    }

    private static void strings() {
        Object cube = new Cube();
        String text = "x" + cube + where("in between") + cube + new Named("n", cube);
        text += cube;
        out.append(text).append(String.format("%s %s", cube, where("formatted"))).append('\n');
    }

    record Named(String name, Object value) {
        Named {
            where("canonical");
        }
    }

    // What the JVM calls by itself. Each class is initialised once.

    static class ByNew {
        static int count = where("new");
    }

    static class ByGet {
        static int count = where("getstatic");
    }

    static class ByPut {
        static int count = where("putstatic");
    }

    static class ByCall {
        static {
            where("invokestatic");
        }

        static int call() {
            return where("called");
        }
    }

    static class BySubclass extends ByCall {
        static final Object LAST = where("subclass") + "";
    }

    static class Fails {
        static int count = fails("failing");
    }

    private static void initialisers() {
        int sum = where("first") + new ByNew().hashCode() % 1 + ByGet.count;
        ByPut.count = sum;
        sum += ByCall.call() + where("between") + BySubclass.LAST.hashCode() % 1;
        try {
            sum += Fails.count;
        } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
            where("failed");
        }
        out.append(sum).append('\n');
    }

    /** Loads the classes below again, and tells where from. */
    static class Loader extends ClassLoader {
        Loader() {
            super(TellsCodeIndices.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                if (!name.startsWith("TellsCodeIndices$Of")) {
                    return super.loadClass(name, resolve);
                }
                if (!name.endsWith("$OfLoader")) {
                    where("loads " + name);
                }
                try (InputStream in = getResourceAsStream(name + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }
    }

    public static class OfLiteral { }

    public static class OfCast { }

    public static class OfTest { }

    public static class OfArray { }

    public static class OfArrays { }

    public static class OfStatic {
        static int count = where("initialised");
    }

    public static class OfField {
        int count;
    }

    public static class OfException extends RuntimeException { }

    public static class OfOther extends RuntimeException { }

    public static class OfLambda { }

    /** Apart, since the JVM verifies the methods of a class in any order. */
    public static class OfStores {
        static int stores(Object[] array) {
            try {
                array[0] = "";
                return 1;
            } catch (OfException e) {
                return 2;
            } catch (ArrayStoreException e) {
                return where("stored");
            }
        }
    }

    public static class OfLoader implements Callable<Integer> {
        private static int divides(int number) {
            try {
                return 1 / number;
            } catch (OfOther e) {
                return 2;
            } catch (ArithmeticException e) {
                return where("divided");
            }
        }

        @Override
        public Integer call() {
            int sum = where("begins") + OfLiteral.class.getName().length();
            Object object = null;
            sum += object instanceof OfTest ? 1 : where("tested");
            object = Arrays.asList("x", (Object) null).get(1);
            sum += (OfCast) object == null ? where("cast") : 1;
            sum += new OfArray[2].length + new OfArrays[1][2].length + where("arrays");
            sum += OfStatic.count++;
            sum += divides(0) + divides(1) + OfStores.stores(new Integer[1]);
            sum += new OfField().count;
            Supplier<OfLambda> lambda = OfLambda::new;
            return sum + lambda.get().hashCode() % 1 + where("ends");
        }
    }

    private static void loaders() throws Exception {
        Class<?> loaded = new Loader().loadClass("TellsCodeIndices$OfLoader");
        Object object = loaded.getConstructor().newInstance();
        out.append(((Callable<?>) object).call()).append('\n');
    }

    public int reflected(String name) {
        return where(name);
    }

    private static void reflection() throws Throwable {
        Method method = TellsCodeIndices.class.getMethod("reflected", String.class);
        TellsCodeIndices object = new TellsCodeIndices();
        for (int round = 0; round < 20; round++) {
            method.invoke(object, "reflected " + round);
        }
        try {
            Derived.class.getDeclaredConstructor().newInstance();
            method.invoke(object, "before"); method.invoke(null, "never");
        } catch (NullPointerException | InvocationTargetException e) {
            where("failed");
        }
        Class<?>[] types = {Shape.class};
        Shape proxy = (Shape) Proxy.newProxyInstance(Shape.class.getClassLoader(), types,
                (self, called, values) -> where(called.getName() + values[0]));
        out.append(proxy.area("x") + proxy.twice("y")).append('\n');
    }

    private static void handles() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle where =
                lookup.findStatic(TellsCodeIndices.class, "where", MethodType.methodType(int.class, String.class));
        int sum = (int) where.invokeExact("exact") + (int) where.invoke("generic");
        MethodHandle reflected = lookup.findVirtual(
                TellsCodeIndices.class, "reflected", MethodType.methodType(int.class, String.class));
        sum += (int) reflected.invokeExact(new TellsCodeIndices(), "virtual");
        MethodHandle guarded = MethodHandles.filterReturnValue(where,
                lookup.findStatic(TellsCodeIndices.class, "recursion", MethodType.methodType(int.class, int.class)));
        sum += (int) guarded.invokeExact("filtered") + where("behind");
        out.append(sum).append('\n');
    }

    static class Written implements Serializable {
        private static final long serialVersionUID = 1;
        int number = 3;

        private void writeObject(ObjectOutputStream stream) throws IOException {
            where("written");
            stream.defaultWriteObject();
        }

        private void readObject(ObjectInputStream stream) throws IOException, ClassNotFoundException {
            stream.defaultReadObject();
            number += where("read");
        }
    }

    private static void callbacks() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
            stream.writeObject(new Written());
        }
        ByteArrayInputStream in = new ByteArrayInputStream(bytes.toByteArray());
        try (ObjectInputStream stream = new ObjectInputStream(in)) {
            out.append(((Written) stream.readObject()).number);
        }
        TreeMap<Integer, String> map = new TreeMap<>((a, b) -> a - b + 0 * where("compared"));
        for (int i = 0; i < 3; i++) {
            map.computeIfAbsent(i, key -> "v" + where("computed"));
        }
        List<Integer> list = new ArrayList<>(map.keySet());
        list.removeIf(number -> where("tested") > number);
        out.append(list).append(map).append('\n');
    }

    private static void threads() throws Exception {
        Runnable work = () -> where("thread");
        Thread thread = new Thread(work);
        thread.start();
        thread.join();
        try {
            Method virtual = Thread.class.getMethod("startVirtualThread", Runnable.class);
            ((Thread) virtual.invoke(null, work)).join();
        } catch (NoSuchMethodException e) {
            where("no virtual threads");
        }
    }

    // Often enough for compiled code, which puts callees into their callers.

    private static long sum;

    private static int adds(int number) {
        sum = 31 * sum + PLAIN.walk(frames -> frames.limit(5)
                .mapToInt(StackFrame::getByteCodeIndex).reduce(number, (all, index) -> 31 * all + index));
        return number + 1;
    }

    private static int small(int number) {
        return number % 3 == 0 ? adds(number) : adds(adds(number)) - 1;
    }

    private static void compiled() {
        sum = 0;
        for (int i = 0; i < rounds; i++) {
            small(small(i) + i);
        }
        out.append(sum).append('\n');
    }
}
