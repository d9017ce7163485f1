import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What hardly happens in libraries: inputs, results and receivers that are easily mistaken for others. */
public class Corners {
    private static final int MANY = 30;

    private final int number;
    private int state;

    Corners(int number) {
        this.number = number;
    }

    // Receivers and arguments.

    int plus(int other) {
        return Math.addExact(number, other);
    }

    boolean precedes(Corners other) {
        return Integer.compare(number, other.number) < 0;
    }

    static double mean(double one, double other) {
        return Math.fma(one, 0.5, other * 0.5);
    }

    static long sum(long one, int other) {
        return Math.addExact(one, other);
    }

    static boolean isSame(Object one, Object other) {
        return Objects.equals(one, other);
    }

    static int count(Object... all) {
        return List.of(all).size();
    }

    private static void pairs() {
        Corners[] all = new Corners[MANY];
        for (int i = 0; i < MANY; i++) {
            all[i] = new Corners(i);
        }
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < MANY; i++) {
                for (int k = 0; k < MANY; k++) {
                    all[i].plus(k);
                    all[i].precedes(all[k]);
                    mean(i, 0.1 * k);
                    sum((long) i << 32, k);
                    isSame(all[i], k % 2 == 0 ? all[k] : null);
                }
            }
        }
        isSame("null", null);
        isSame(null, "null");
        isSame(null, null);
        isSame(1, Integer.valueOf(1));
        count();
        count(1, 2);
        count("a", "b", "c");
    }

    // Strings.

    static int length(String text) {
        return text.length();
    }

    static String letter(int code) {
        return String.valueOf((char) code);
    }

    static Object text(int size) {
        return "-".repeat(size);
    }

    private static void strings() {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 200; i++) {
                length(letter('0' + i));
                length(letter('a' + i % 20) + letter('A' + i % 7));
                length((String) text(i));
            }
            // Equal hashes, equal lengths, and what is different is far from both ends and from the middle.
            length("0123456789Aa-------------------------------------------");
            length("0123456789BB-------------------------------------------");
            length("");
        }
    }

    static String either(int which) {
        return String.valueOf(Math.abs(which) > 0 ? 'x' : 'y');
    }

    static String flips() {
        return either(++flipped % 2);
    }

    private static int flipped;

    // Fractions.

    static float magnitude(float of) {
        return Math.abs(of);
    }

    static double quotient(double one, double other) {
        return Math.rint(one / other);
    }

    static double raw(long bits) {
        return Double.longBitsToDouble(bits);
    }

    static float lost(float of) {
        return (float) Math.sqrt(-1 - Math.abs(of));
    }

    private static void fractions() {
        for (int round = 0; round < 2; round++) {
            for (float of : new float[] {0.0f, -0.0f, 1, -1, Float.NaN, Float.intBitsToFloat(0x7fc0_0001), 1e30f}) {
                magnitude(of);
                lost(of);
                quotient(of, 0);
            }
            raw(0x7ff8_0000_0000_0001L);
            raw(0x7ff8_0000_0000_0002L);
            raw(0x7ff0_0000_0000_0001L);
        }
    }

    // Exceptions.

    int half(int of) {
        return Math.multiplyExact(of, number % 2 == 0 ? 1 : Integer.MAX_VALUE) / 2;
    }

    int never(int of) {
        throw new IllegalStateException(String.valueOf(of + number));
    }

    /** Ends by an exception below many calls of itself. */
    static int falls(int depth) {
        return depth == 0 ? Objects.checkIndex(1, 1) : falls(depth - 1);
    }

    static int catches(int depth) {
        try {
            return falls(depth);
        } catch (IndexOutOfBoundsException e) {
            return Math.abs(depth);
        }
    }

    private static void exceptions() {
        for (int i = 2; i < 60; i++) {
            Corners one = new Corners(i);
            try {
                one.half(i);
                one.half(i + 2);
                one.half(i);
            } catch (ArithmeticException e) {
                catches(i % 5);
            }
            try {
                one.never(i);
            } catch (IllegalStateException e) {
                catches(7);
            }
        }
    }

    // Recursion.

    static int ackermann(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    /** Has the same input again while it is under way, and other results. */
    int descends(Object same) {
        if (Math.floorMod(++state, 5) == 0) {
            return state;
        }
        return state % 2 == 0 ? descends(same) + 1 : descends(same);
    }

    static int sinks(int depth) {
        return depth == 0 ? 0 : sinks(depth - 1) + 1;
    }

    // What calls nothing and has no loop; what has one of both.

    int seen() {
        return number;
    }

    int locked() {
        synchronized (this) {
            return state;
        }
    }

    static int loops(int times) {
        int sum = 0;
        while (times > 0) {
            sum += times--;
        }
        return sum;
    }

    // Results of all types.

    static boolean isOdd(int of) {
        return loops(of % 3) == 1;
    }

    static byte narrow(byte of) {
        return (byte) Math.abs(of);
    }

    static char upper(char of) {
        return Character.toUpperCase(of);
    }

    static short shorter(short of) {
        return (short) Math.abs(of);
    }

    static long longer(long of) {
        return Math.abs(of);
    }

    static int[] fresh(int size) {
        return new int[Math.abs(size)];
    }

    static Object made(int size) {
        return size % 2 == 0 ? kept : fresh(size);
    }

    private static int[] kept = new int[2];

    private static void types() {
        Corners one = new Corners(3);
        for (int i = 0; i < 300; i++) {
            isOdd(i % 70);
            narrow((byte) i);
            upper((char) ('a' + i));
            shorter((short) (i - 100));
            longer(-((long) i << i % 40));
            made(i % 6);
            one.seen();
            one.locked();
            one.descends(one);
            flips();
        }
        ackermann(2, 3);
        sinks(200);
    }

    // More inputs than are kept.

    Corners with(int of) {
        state = Math.max(state, of);
        return this;
    }

    static Object finds(int of) {
        return Math.abs(of) < 0 ? kept : null;
    }

    static double loses(int of) {
        return Math.sqrt(-1.0 - of);
    }

    static Object constant(int of) {
        return Objects.requireNonNull(kept);
    }

    int own(int of) {
        return Math.abs(number) + 0 * of;
    }

    int mine() {
        return Math.abs(number);
    }

    static int atMost(int of) {
        return Math.abs(of);
    }

    static int almost(int of) {
        return Math.abs(of);
    }

    private static void many() {
        Corners[] few = {new Corners(1), new Corners(2), new Corners(3)};
        List<Corners> all = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            few[0].with(i % 4_000);
            finds(i);
            loses(i);
            constant(i);
            few[i % 3].own(i);
            all.add(new Corners(i % 7));
            all.get(i / 2).mine();
            atMost(i % 1_024);
            almost(i % 1_023);
        }
    }

    // Threads.

    int shared(int of) {
        return Math.multiplyExact(number, of);
    }

    static String hands(String text) {
        return text.concat("!");
    }

    /** Ends by an exception in one thread, and not in the other. */
    int seldom(int of) {
        return Math.multiplyExact(number, of);
    }

    private static void threads() throws InterruptedException {
        Corners[] all = {new Corners(4), new Corners(5), new Corners(6)};
        for (int thread = 0; thread < 2; thread++) {
            int own = thread;
            Thread other = new Thread(() -> {
                for (int i = 0; i < 40; i++) {
                    all[i % 3].shared(i % 8 + 4 * own);
                    hands("t" + i % 5);
                    try {
                        all[i % 3].seldom(own == 0 ? Integer.MAX_VALUE : 7);
                    } catch (ArithmeticException e) {
                        hands("overflow");
                    }
                }
            });
            other.start();
            other.join();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        pairs();
        strings();
        fractions();
        exceptions();
        types();
        many();
        threads();
        System.out.println("done");
    }
}
