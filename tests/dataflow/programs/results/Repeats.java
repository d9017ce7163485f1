import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Methods with known inputs and results. Prints, for each that it counts itself, what it has counted. */
public class Repeats {
    private final int[] data;
    private int sum;
    private int state;

    Repeats(int length) {
        data = new int[length];
        Arrays.setAll(data, i -> 7 * i + length);
    }

    int sum() {
        int sum = 0;
        for (int one : data) {
            sum += one;
        }
        return sum;
    }

    int sumWithCache() {
        if (sum == 0) {
            sum = sum();
        }
        return sum;
    }

    int next() {
        state = Math.addExact(state, 1);
        return state;
    }

    /** Writes only to what it makes itself. */
    int builds() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            text.append(data[i]);
        }
        return text.length();
    }

    Repeats itself() {
        Objects.requireNonNull(data);
        return this;
    }

    Object nothing() {
        Objects.requireNonNull(data);
        return null;
    }

    double notANumber() {
        return root(-data.length);
    }

    static double root(double of) {
        return Math.sqrt(of);
    }

    static int one(int of) {
        return Integer.parseInt("1") + 0 * of;
    }

    void nothingAtAll() {
        Objects.requireNonNull(data);
    }

    static int fails(int of) {
        throw new IllegalStateException(String.valueOf(of));
    }

    static int failsSometimes(int of) {
        return of % 3 == 0 ? fails(of) : Math.abs(of);
    }

    static int fibonacci(int of) {
        return of < 2 ? of : fibonacci(of - 1) + fibonacci(of - 2);
    }

    static String many(String prefix, int number) {
        return prefix.concat(Integer.toString(number));
    }

    /** Fresh objects are given and returned. */
    static Font keyOf(Font font) {
        return new Font(font.name.concat("/"), !font.isBold, font.size, font.scale);
    }

    private static final class Font {
        final String name;
        final boolean isBold;
        final byte size;
        final double scale;
        Object[] unused = {null};

        Font(String name, boolean isBold, byte size, double scale) {
            this.name = name;
            this.isBold = isBold;
            this.size = size;
            this.scale = scale;
        }
    }

    /** What decides lies two references deep. */
    static int valueOf(Node node) {
        return Math.abs(node.leaf.value);
    }

    private record Node(Leaf leaf) {
    }

    private record Leaf(int value) {
    }

    static int sumOf(int[] numbers, Object[] others) {
        return numbers[0] + numbers[1] + others.length + Math.abs((Integer) others[0]);
    }

    static int changesAlways(int of) {
        return Math.max(of, ++calls);
    }

    static int calls;

    /** Always the same, and more expensive than a look-up. */
    static int asked(int of) {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += Math.abs(of - i);
        }
        return sum;
    }

    int mixed(int a, long b, float c, double d, String text, Object other) {
        int result = (int) (a + b + (long) c + (long) d) + text.length() + Objects.hashCode(other == null);
        return result % 3 + (changes && a == 1 ? ++state % 2 : 0);
    }

    static boolean changes;

    /** The literal rules: inputs with the last result of each. */
    private static final class Counted {
        final Map<List<Object>, Object> last = new HashMap<>();
        final Map<Object, Boolean> receivers = new IdentityHashMap<>();
        List<Object> before;
        long returned;
        long hits;
        long lastHits;
        long conflicts;

        void add(Object receiver, List<Object> input, Object result) {
            returned++;
            receivers.put(receiver, true);
            if (last.containsKey(input)) {
                if (last.get(input).equals(result)) {
                    hits++;
                    lastHits += input.equals(before) ? 1 : 0;
                } else {
                    conflicts++;
                }
            }
            last.put(input, result);
            before = input;
        }

        void print(String name) {
            System.out.printf("%s %d %d %d %d %d %d%n", name, returned, receivers.size(), last.size(), hits,
                    lastHits, conflicts);
        }
    }

    public static void main(String[] args) {
        Repeats[] all = new Repeats[10];
        Arrays.setAll(all, i -> new Repeats(100 + i));
        for (int round = 0; round < 50; round++) {
            for (Repeats each : all) {
                each.sum();
                each.sumWithCache();
                each.next();
                each.builds();
                each.itself();
                each.nothing();
                each.notANumber();
                each.nothingAtAll();
                one(round);
            }
        }
        int failed = 0;
        for (int i = 0; i < 300; i++) {
            try {
                failsSometimes(i % 6);
            } catch (IllegalStateException e) {
                failed++;
            }
        }
        fibonacci(15);
        for (int i = 0; i < 300; i++) {
            many("few", i % 3);
        }
        for (int i = 0; i < 20_000; i++) {
            many("many", i);
        }
        for (int i = 0; i < 70_000; i++) {
            changesAlways(i % 10);
        }
        for (int i = 0; i < 100_000; i++) {
            asked(i % 10);
        }
        for (int i = 0; i < 1_000; i++) {
            keyOf(new Font("font " + i % 7, i % 2 == 0, (byte) 1, 0.5));
            valueOf(new Node(new Leaf(i % 5)));
            sumOf(new int[] {i % 3, 1, 2}, new Object[] {Integer.valueOf(1_000 + i % 2), "text", null, Repeats.class});
        }
        random(all);
        System.out.println("failed " + failed);
    }

    private static void random(Repeats[] all) {
        Random random = new Random(17);
        Counted counted = new Counted();
        // Two of them have the same hash.
        String[] texts = {"", "AaBB", "BBBB", "a longer text with a euro sign, \u20ac, in it"};
        Object[] others = {null, new int[0]};
        List<Object> input = null;
        Object[] values = new Object[7];
        for (int i = 0; i < 5_000; i++) {
            changes = i > 4_000;
            if (input == null || random.nextInt(3) > 0) {
                values = new Object[] {all[random.nextInt(3)], random.nextInt(3), (long) random.nextInt(2) << 40,
                    random.nextBoolean() ? 0.0f : -0.0f, random.nextBoolean() ? 1.5 : Double.NaN,
                    texts[random.nextInt(texts.length)], others[random.nextInt(others.length)]};
                // A new string of the same letters is the same input.
                values[5] = new String((String) values[5]);
                Object other = values[6];
                input = List.of(System.identityHashCode(values[0]), values[1], values[2], values[3], values[4],
                        values[5], other instanceof String ? other : System.identityHashCode(other));
            }
            Repeats receiver = (Repeats) values[0];
            int result = receiver.mixed((int) values[1], (long) values[2], (float) values[3], (double) values[4],
                    (String) values[5], values[6]);
            counted.add(receiver, input, result);
        }
        counted.print("mixed");
    }
}
