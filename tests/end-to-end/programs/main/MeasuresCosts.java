import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import subsume.Profile;

/** Measures methods of its own, in the order of the arguments, and prints what each has executed. */
public final class MeasuresCosts {
    enum Colour { RED, GREEN }

    /** Initialised by who comes by first. */
    static final class Lazy {
        static final Map<Integer, String> NAMES = new TreeMap<>();

        static {
            for (int i = 0; i < 50; i++) {
                NAMES.put(i, "name " + i);
            }
        }
    }

    private static int sum;
    private static String inner;

    public static void main(String[] names) throws Exception {
        for (String name : names) {
            Method method = MeasuresCosts.class.getDeclaredMethod(name);
            String costs;
            try {
                costs = Profile.measure(method, () -> method.invoke(null));
            } catch (InvocationTargetException thrown) {
                costs = "thrown: " + thrown.getCause().getMessage() + "\n";
            }
            System.out.print("= " + name + "\n" + (costs == null ? "not measured\n" : costs));
            if (name.equals("nested")) {
                System.out.print("= within\n" + (inner == null ? "not measured\n" : inner));
            }
        }
    }

    static void lambdas() {
        IntUnaryOperator twice = number -> 2 * number;
        Function<Object, String> text = String::valueOf;
        sum += twice.andThen(number -> number + sum).applyAsInt(3) + text.apply(twice == null).length();
    }

    static void concatenation() {
        String all = "";
        for (int i = 0; i < 3; i++) {
            all = all + i + ' ' + (long) i + Colour.RED;
        }
        sum += all.length();
    }

    static void streams() {
        sum += IntStream.range(0, 100)
                .filter(number -> number % 3 == 0)
                .mapToObj(number -> "<" + number + ">")
                .collect(Collectors.joining(", "))
                .length();
    }

    static void initialises() {
        switch (Lazy.NAMES.size() > 3 ? Colour.GREEN : Colour.RED) {
            case RED:
                sum++;
                break;
            default:
                sum += Lazy.NAMES.get(7).length();
        }
    }

    static void maps() {
        Map<Integer, Integer> map = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            map.merge(i % 7, i, Integer::sum);
        }
        sum += map.size();
    }

    static void patterns() {
        sum += Pattern.compile("(a|b)*c").matcher("ababc").matches() ? 1 : 0;
    }

    static void recursion() {
        sum += fib(10);
    }

    private static int fib(int number) {
        return number < 2 ? number : fib(number - 1) + fib(number - 2);
    }

    static void throwing() {
        sum += fib(3);
        throw new IllegalStateException("meant");
    }

    static void catching() {
        for (int i = 0; i < 5; i++) {
            try {
                deep(i);
            } catch (IllegalArgumentException expected) {
                sum++;
            }
        }
    }

    private static void deep(int depth) {
        if (depth == 0) {
            throw new IllegalArgumentException();
        }
        deep(depth - 1);
    }

    static void threads() throws InterruptedException {
        Thread thread = new Thread(() -> sum += fib(12));
        thread.start();
        thread.join();
    }

    static void nested() throws Exception {
        sum += fib(4);
        inner = Profile.measure(null, () -> fib(5));
        String linked = "linked " + inner;
        sum += linked.length() + fib(4);
    }
}
