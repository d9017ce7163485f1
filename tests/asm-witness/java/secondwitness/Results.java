package secondwitness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import jdk.internal.access.SharedSecrets;

/**
 * What classes call that are rewritten for what their methods return. It lies on the boot class path, where
 * every class loader finds it.
 *
 * <p>The calls first make values comparable: ints stay ints, floats become their bits, strings stay strings and
 * other objects become {@link Same}. So they never run code of the application.
 */
public final class Results {
    /** Behind the hooks of the application, see {@link Counts}. */
    private static final int LAST_SHUTDOWN_SLOT = 9;

    /** The classes that were rewritten, and the methods that were not, as lines of the file. */
    private static final Set<String> CLASSES = new LinkedHashSet<>();

    private static final List<Method> METHODS = new ArrayList<>();
    private static final List<Calls> THREADS = new ArrayList<>();
    private static final ThreadLocal<Calls> OF_THREAD = ThreadLocal.withInitial(Results::begin);

    private Results() {}

    /** Calls of a thread, and those of them that have returned, in the order in which they did. */
    private record Calls(List<Call> entered, List<Outcome> returned) {}

    private static Calls begin() {
        Calls calls = new Calls(new ArrayList<>(), new ArrayList<>());
        synchronized (THREADS) {
            THREADS.add(calls);
        }
        return calls;
    }

    /** A class is rewritten. */
    public static void begin(String className) {
        synchronized (CLASSES) {
            CLASSES.add(className);
        }
    }

    /** A method is left out, because the calls find no room in it. */
    public static void leaveOut(String line) {
        synchronized (CLASSES) {
            CLASSES.add(line);
        }
    }

    /** Numbers a method. */
    public static int number(String line, boolean isStatic) {
        synchronized (METHODS) {
            METHODS.add(new Method(line, isStatic));
            return METHODS.size() - 1;
        }
    }

    // What values are compared by.

    public static Object value(int value) {
        return value;
    }

    public static Object value(long value) {
        return value;
    }

    public static Object value(float value) {
        return Float.floatToRawIntBits(value);
    }

    public static Object value(double value) {
        return Double.doubleToRawLongBits(value);
    }

    public static Object value(Object value) {
        if (value == null || value instanceof String && !Rule.STRINGS.isBroken) {
            return value;
        }
        return new Same(Rule.IDENTITY.isBroken ? value.getClass() : value);
    }

    static boolean areEqual(Object one, Object other) {
        return Objects.equals(one, other);
    }

    // Calls.

    /** A method is entered; the receiver of a static one is null. */
    public static Call entered(Object receiver, Object[] arguments, int number) {
        List<Object> input = new ArrayList<>(Arrays.asList(arguments));
        if (!Rule.RECEIVER_IN_INPUT.isBroken) {
            input.add(receiver);
        }
        Call call = new Call(number, receiver, input);
        OF_THREAD.get().entered().add(call);
        return call;
    }

    public static void returned(Call call) {
        leave(call, null, false);
    }

    public static void returned(int result, Call call) {
        leave(call, value(result), false);
    }

    public static void returned(long result, Call call) {
        leave(call, value(result), false);
    }

    public static void returned(float result, Call call) {
        leave(call, value(result), result != result);
    }

    public static void returned(double result, Call call) {
        leave(call, value(result), result != result);
    }

    public static void returned(Object result, Call call) {
        leave(call, value(result), false);
    }

    private static void leave(Call call, Object result, boolean isNan) {
        OF_THREAD.get().returned().add(new Outcome(call, result, isNan));
    }

    /** What the calls of all threads were like, as if one had run behind the other. */
    private static Map<Integer, MethodResults> methods() {
        Map<Integer, MethodResults> methods = new LinkedHashMap<>();
        synchronized (THREADS) {
            for (Calls thread : THREADS) {
                for (Call call : thread.entered()) {
                    methods.computeIfAbsent(call.method(), it -> new MethodResults(METHODS.get(it))).enter(call);
                }
                for (Outcome outcome : thread.returned()) {
                    methods.get(outcome.call().method()).leave(outcome);
                }
            }
        }
        return methods;
    }

    /** Writes what was counted when everything else has ended. */
    public static void writeAtExit(Path file) {
        SharedSecrets.getJavaLangAccess().registerShutdownHook(LAST_SHUTDOWN_SLOT, false, () -> write(file));
    }

    /**
     * A line for each class that was rewritten and for each method that was left out, then one for each method
     * that was called, see {@link MethodResults#line}.
     */
    private static void write(Path file) {
        try (Writer out = Files.newBufferedWriter(file)) {
            synchronized (CLASSES) {
                for (String line : CLASSES) {
                    out.write(line + "\n");
                }
            }
            for (MethodResults method : methods().values()) {
                out.write(method.line());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
