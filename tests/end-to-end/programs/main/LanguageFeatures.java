import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/** Each construct of the language that compiles to bytecode of its own shape. */
public final class LanguageFeatures {
    public static void main(String[] args) {
        constructors();
        finallyBlocks();
        monitors();
        switches();
        recordsAndEnums();
        interfaces();
        numbers();
        loops();
        inner();
        clones();
        System.out.println(manyLocals(1, 2L, 3.0, 4f, "five", (byte) 6, (short) 7, '8', true));
    }

    static class Root {
        final String text;

        Root(String text) {
            this.text = text;
            announce();
        }

        void announce() {
            System.out.println("root " + text);
        }
    }

    static class Middle extends Root {
        int set = 5;

        Middle(int value) {
            this(value > 3 ? "large" : "small", value);
        }

        Middle(String text, int value) {
            super(refuse(text + value));
            set += value;
        }

        static String refuse(String text) {
            if (text.endsWith("9")) {
                throw new IllegalArgumentException("before super: " + text);
            }
            return text;
        }

        @Override
        void announce() {
            System.out.println("middle sees " + set);
        }
    }

    static class Bottom extends Middle {
        private final Supplier<String> late = () -> text + set;

        Bottom(int value) {
            super(new ArrayList<>(Arrays.asList(value, value + 1)).size() + value);
            if (value == 7) {
                throw new IllegalStateException("after super");
            }
            System.out.println(late.get());
        }
    }

    private static void constructors() {
        for (int value : new int[] {0, 5, 7}) {
            try {
                new Bottom(value);
            } catch (RuntimeException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @SuppressWarnings("finally")
    private static int overrides(int value) {
        try {
            if (value == 0) {
                throw new IllegalStateException("lost");
            }
            return value;
        } finally {
            return -value;
        }
    }

    private static String nested(int at) {
        StringBuilder trace = new StringBuilder();
        outer:
        for (int i = 0; i < 3; i++) {
            try {
                try {
                    if (i == at) {
                        throw new RuntimeException("inner");
                    }
                    trace.append(i);
                } catch (RuntimeException e) {
                    trace.append('c');
                    if (at == 1) {
                        continue outer;
                    }
                    throw new IllegalStateException(e);
                } finally {
                    trace.append('f');
                }
            } catch (IllegalStateException e) {
                trace.append('o');
                if (at == 2) {
                    break outer;
                }
            } finally {
                trace.append('F');
            }
        }
        return trace.toString();
    }

    private static void finallyBlocks() {
        System.out.println(overrides(0) + " " + overrides(4));
        System.out.println(nested(0) + " " + nested(1) + " " + nested(2) + " " + nested(9));
        try (Closing first = new Closing("first"); Closing second = new Closing("second")) {
            throw new RuntimeException("body");
        } catch (Exception e) {
            System.out.println(e.getMessage() + " " + Arrays.toString(e.getSuppressed()));
        }
    }

    private record Closing(String name) implements AutoCloseable {
        @Override
        public void close() {
            throw new IllegalStateException("closing " + name);
        }
    }

    private static synchronized int locked(boolean fail) {
        if (fail) {
            throw new IllegalStateException("locked");
        }
        return 1;
    }

    private static void monitors() {
        try {
            locked(true);
        } catch (IllegalStateException e) {
            System.out.println("held after throw " + Thread.holdsLock(LanguageFeatures.class));
        }
        Object lock = new Object();
        try {
            synchronized (lock) {
                System.out.println("held " + Thread.holdsLock(lock));
                locked(true);
            }
        } catch (IllegalStateException e) {
            System.out.println("held " + Thread.holdsLock(lock) + locked(false));
        }
        try {
            lock.notify();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
    }

    private static void switches() {
        StringBuilder out = new StringBuilder();
        for (String word : new String[] {"Aa", "BB", "C", "none"}) {
            switch (word) {
                case "Aa": out.append(1);
                case "BB": out.append(2); break;
                case "C": out.append(3); break;
                default: out.append(4);
            }
        }
        for (int key : new int[] {-5, 0, 1, 2, 1000, Integer.MAX_VALUE}) {
            out.append(switch (key) {
                case -5 -> "a";
                case 0, 1 -> "b";
                case 1000 -> {
                    String yielded = "c" + key;
                    yield yielded;
                }
                default -> "d";
            });
        }
        Object object = out;
        if (object instanceof StringBuilder builder && builder.length() > 3) {
            out.append(builder.length());
        }
        System.out.println(out);
    }

    private enum Planet {
        NEAR(1) {
            @Override
            int weight() {
                return 10;
            }
        },
        FAR(2);

        final int distance;

        Planet(int distance) {
            this.distance = distance;
        }

        int weight() {
            return distance;
        }
    }

    private record Pair<A, B>(A first, B second) {
        Pair {
            if (first == null) {
                throw new NullPointerException("first");
            }
        }
    }

    private static void recordsAndEnums() {
        for (Planet planet : Planet.values()) {
            switch (planet) {
                case NEAR -> System.out.println("near " + planet.weight());
                case FAR -> System.out.println("far " + planet.weight() + Planet.valueOf("FAR").ordinal());
            }
        }
        Pair<String, Integer> pair = new Pair<>("a", 1);
        System.out.println(pair + " " + pair.equals(new Pair<>("a", 1)) + " " + pair.hashCode());
        try {
            new Pair<>(null, 1);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            Object text = "text";
            System.out.println((Integer) text);
        } catch (ClassCastException e) {
            System.out.println("not an Integer");
        }
    }

    private interface Named {
        private String decorate(String text) {
            return "<" + text + ">";
        }

        default String name() {
            return decorate("named");
        }

        static Named of(String text) {
            return new Named() {
                @Override
                public String name() {
                    return text;
                }
            };
        }
    }

    private interface Titled {
        default String name() {
            return "titled";
        }
    }

    private static final class Both implements Named, Titled, Comparable<Both> {
        @Override
        public String name() {
            return Named.super.name() + Titled.super.name();
        }

        @Override
        public int compareTo(Both other) {
            return 0;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void interfaces() {
        System.out.println(new Both().name() + Named.of("anonymous").name());
        Comparable bridge = new Both();
        try {
            bridge.compareTo("not one");
        } catch (ClassCastException e) {
            System.out.println("bridge casts");
        }
    }

    private static void numbers() {
        long wide = Long.MIN_VALUE;
        double real = 1e300 * 1e10;
        byte narrow = (byte) 200;
        int shifted = -17 >> 2 ^ -17 >>> 28;
        int[][] grid = new int[3][4];
        grid[1][2] += 5;
        grid[1][2]++;
        long[] longs = {1, 2, 3};
        longs[1] <<= 40;
        System.out.println(wide / -1 + " " + real + " " + narrow + " " + shifted + " " + grid[1][2]
            + " " + longs[1] + " " + (int) Double.NaN + " " + (0.0 == -0.0) + " " + 7 % -3 + " " + (char) 98);
        for (int length : new int[] {0, -1}) {
            try {
                System.out.println(new Object[length].length + 1 / length);
            } catch (ArithmeticException | NegativeArraySizeException e) {
                System.out.println(e);
            }
        }
        try {
            Object[] strings = new String[1];
            strings[0] = 1;
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        try {
            String absent = args(0);
            System.out.println(absent.length());
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    private static String args(int count) {
        return count == 0 ? null : "some";
    }

    private static void loops() {
        int sum = 0;
        int i = 100_000;
        do {
            sum += i-- % 7;
        } while (i > 0);
        rows:
        for (int row = 0; ; row++) {
            for (int column = 0; column < 10; column++) {
                if (row * column == 42) {
                    break rows;
                }
                if (column > row) {
                    continue rows;
                }
                sum++;
            }
        }
        Iterable<Integer> countdown = () -> new Iterator<>() {
            private int left = 3;

            @Override
            public boolean hasNext() {
                return left > 0;
            }

            @Override
            public Integer next() {
                return left--;
            }
        };
        for (int value : countdown) {
            sum = sum * 10 + value;
        }
        System.out.println(sum);
    }

    private int field = 1;

    private final class Inner {
        int read() {
            return field++ + new Object() {
                int nested() {
                    return field * 100;
                }
            }.nested();
        }
    }

    private static void inner() {
        LanguageFeatures outer = new LanguageFeatures();
        List<Supplier<Integer>> suppliers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int captured = i;
            suppliers.add(() -> captured + outer.new Inner().read());
            suppliers.add(outer.new Inner()::read);
        }
        int sum = 0;
        for (Supplier<Integer> supplier : suppliers) {
            sum += supplier.get();
        }
        System.out.println(sum);
    }

    private static String manyLocals(int a, long b, double c, float d, Object... rest) {
        int e = a + 1;
        long f = b * 2;
        double g = c / 2;
        float h = d - 1;
        for (Object each : rest) {
            long scaled = f * e;
            e += each.hashCode() % 3;
            f = scaled + e;
        }
        return e + " " + f + " " + g + " " + h + " " + rest.length;
    }

    static class Copied implements Cloneable {
        int number = 3;

        Object copy() {
            try {
                return clone();
            } catch (CloneNotSupportedException e) {
                return e;
            }
        }
    }

    /** What it returns for a clone is none of it: an array, another object, nothing. */
    static class Replaced extends Copied {
        final Object replacement;

        Replaced(Object replacement) {
            this.replacement = replacement;
        }

        @Override
        protected Object clone() {
            return replacement;
        }
    }

    static void clones() {
        Copied original = new Copied();
        System.out.println(((Copied) original.copy()).number + 1);
        for (Object other : new Object[] {null, original, new Object[] {original}, new int[2]}) {
            System.out.println(new Replaced(other).copy() == other);
        }
    }
}
