import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints stack traces with their line numbers and depths from every kind of code, so that they can
 * be compared line by line: implicit exceptions on lines of their own, constructors, initialisers,
 * handlers, lambdas, deep recursion, frames of the class library. The argument says how often all
 * of it runs; what the first and the last time show is printed.
 */
public final class DumpsStacks {
    private static int zero;
    private static Object nothing;
    private static final int[] FEW = new int[2];

    private final int field;

    private DumpsStacks(int value) {
        this(value, 10
            / value);
    }

    private DumpsStacks(int value, int other) {
        field = value
            + other
            + FEW[value];
    }

    static final class Failing {
        static final int VALUE =
            1
            / zero;
    }

    private interface Task {
        void run() throws Throwable;
    }

    public static void main(String[] args) throws Throwable {
        int rounds = Integer.parseInt(args[0]);
        for (int round = 0; round < rounds; round++) {
            boolean shown = round == 0 || round == rounds - 1;
            List<String> lines = new ArrayList<>();
            trace(lines, () -> System.out.println(1
                / zero));
            trace(lines, () -> new DumpsStacks(0));
            trace(lines, () -> new DumpsStacks(5));
            trace(lines, () -> nothing
                .hashCode());
            trace(lines, () -> {
                Object text = "text";
                Integer wrong =
                    (Integer) text;
            });
            trace(lines, () -> {
                int[] negative =
                    new int[zero - 1];
            });
            trace(lines, () -> {
                Object[] texts = new String[1];
                texts[0]
                    = 1;
            });
            trace(lines, () -> Arrays.asList(3, 1, 2).sort(failing()));
            trace(lines, () -> Stream.of(1, 2, 3).map(value -> 1 / (value - 2)).collect(Collectors.toList()));
            trace(lines, () -> new TreeMap<String, String>().put(null, ""));
            trace(lines, () -> deep(200));
            trace(lines, DumpsStacks::handled);
            trace(lines, () -> locked(new Object()));
            if (round == 0) {
                trace(lines, () -> System.out.println(Failing.VALUE));
                trace(lines, () -> System.out.println(Failing.VALUE));
            }
            lines.add("walker " + walk(30));
            if (shown) {
                lines.forEach(System.out::println);
            }
        }
    }

    private static void trace(List<String> lines, Task task) {
        try {
            task.run();
        } catch (Throwable thrown) {
            for (Throwable each = thrown; each != null; each = each.getCause()) {
                StackTraceElement[] trace = each.getStackTrace();
                lines.add(each + " depth " + trace.length);
                for (int i = 0; i < Math.min(trace.length, 12); i++) {
                    // Numbers in names of hidden classes are addresses.
                    lines.add("  " + trace[i].toString().replaceAll("\\$\\$Lambda[^.]*", "\\$\\$Lambda"));
                }
            }
        }
    }

    private static Comparator<Integer> failing() {
        return (left, right) -> {
            throw new IllegalStateException(
                "comparing");
        };
    }

    private static int deep(int depth) {
        return depth == 0
            ? FEW[FEW.length]
            : deep(depth - 1)
                + 1;
    }

    private static void handled() {
        try {
            deep(3);
        } catch (ArrayIndexOutOfBoundsException e) {
            throw new IllegalArgumentException(
                "wrapped",
                e);
        } finally {
            zero = 0;
        }
    }

    private static synchronized void locked(Object lock) {
        synchronized (lock) {
            nothing
                .notifyAll();
        }
    }

    private static String walk(int depth) {
        if (depth > 0) {
            return ((Supplier<String>) () -> walk(depth - 1)).get();
        }
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).walk(frames ->
            frames.map(frame -> frame.getMethodName() + ":" + frame.getLineNumber() + ":" + frame.getDeclaringClass().isHidden())
                .collect(Collectors.joining(",")));
    }
}
