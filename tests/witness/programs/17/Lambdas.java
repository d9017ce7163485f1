import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

/** Lambdas: with and without captured values, nested, recursive, serialisable, in fields and in streams. */
public class Lambdas {
    private final int base;
    static final Function<Integer, Integer> SQUARE = x -> x * x;
    static Function<Integer, Integer> factorial;

    Lambdas(int base) {
        this.base = base;
    }

    Supplier<Integer> capturesThis(int n) {
        return () -> base + n;
    }

    static int apply(IntBinaryOperator operator, int times) {
        int x = 1;
        for (int i = 0; i < times; i++) {
            x = operator.applyAsInt(x, i);
        }
        return x;
    }

    interface Checked {
        int run() throws Exception;
    }

    static int guarded(Checked checked) {
        try {
            return checked.run();
        } catch (Exception e) {
            return -e.getMessage().length();
        }
    }

    public static void main(String[] args) {
        long wide = 1L << 33;
        double fraction = 0.5;
        System.out.println(apply((a, b) -> a + b, 10) + " " + apply((a, b) -> a * 2 - b, 7));
        System.out.println(new Lambdas(40).capturesThis(2).get() + SQUARE.apply(12));
        factorial = n -> n <= 1 ? 1 : n * factorial.apply(n - 1);
        System.out.println(factorial.apply(10));
        BiFunction<Long, Double, Supplier<String>> nested = (a, b) -> () -> {
            Runnable inner = () -> System.out.println(a + wide);
            inner.run();
            return "" + b * fraction;
        };
        System.out.println(nested.apply(5L, 3.0).get());
        System.out.println(guarded(() -> 5) + guarded(() -> {
            throw new Exception("four");
        }));
        List<String> words = new ArrayList<>(List.of("pear", "fig", "apple", "kiwi"));
        words.sort(Comparator.comparing((String w) -> w.length()).thenComparing(w -> w));
        System.out.println(words);
        Runnable serialisable = (Runnable & java.io.Serializable) () -> System.out.println("serialisable");
        for (int i = 0; i < 3; i++) {
            serialisable.run();
        }
        System.out.println(words.stream().filter(w -> w.length() > 3).map(w -> w.charAt(0)).count());
    }
}
