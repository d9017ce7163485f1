import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls methods with texts of all kinds: for contexts that differ by the text of an argument. How often
 * each context is called is in the comments.
 */
public final class SplitsByText {
    /** Calls itself: 4 contexts of "a", 3 of "b" below each other. */
    static int recurse(String text, int depth) {
        int sum = text.length();
        if (depth > 0) {
            sum += recurse(text.equals("a") ? "b" : "a", depth - 1);
        }
        return sum + step(depth);
    }

    static int step(int depth) {
        int sum = 0;
        for (int i = 0; i < depth; i++) {
            sum += i ^ depth;
        }
        return sum;
    }

    static int fail(String text, int[] where) {
        int before = step(3);
        int found = where[text.length()];
        return found + before + step(2);
    }

    static int wrapped(String text, int[] where) {
        try {
            return fail(text, where);
        } catch (ArrayIndexOutOfBoundsException e) {
            return step(5);
        } finally {
            step(1);
        }
    }

    private final String name;

    SplitsByText(String name) {
        super();
        this.name = name == null ? "none" : name;
    }

    static synchronized int any(long first, Object text, double last) {
        return text == null ? -1 : step(4) + (int) (first + last);
    }

    static int sequence(CharSequence text) {
        return text == null ? 0 : step(2);
    }

    /** Calls nothing. */
    static int leaf(String text) {
        return 7;
    }

    /** Calls nothing, and branches. */
    static int branching(String text, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i;
        }
        return sum;
    }

    static long many(String text) {
        return step(1);
    }

    static int sql(String statement) {
        return step(1);
    }

    static void inThread(String text) {
        step(2);
    }

    /** Text that changes while it is looked at, and throws when it is asked. */
    static final class Hostile implements CharSequence {
        @Override
        public int length() {
            throw new IllegalStateException("length of " + getClass().getName());
        }

        @Override
        public char charAt(int index) {
            throw new IllegalStateException("charAt");
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            throw new IllegalStateException("subSequence");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("toString");
        }

        @Override
        public int hashCode() {
            throw new IllegalStateException("hashCode");
        }

        @Override
        public boolean equals(Object other) {
            throw new IllegalStateException("equals");
        }
    }

    /** What executes the same in each run. */
    static final class Repeatable {
        static void main() {
            SplitsByText.repeatable();
        }
    }

    static void repeatable() {
        System.out.println(recurse("a", 6));
        int[] where = new int[3];
        int sum = 0;
        // "", "1" and "12" 10 times each; "123" and "1234", which throw, 10 times each.
        for (String text : new String[] {"", "1", "12", "123", "1234"}) {
            for (int i = 0; i < 10; i++) {
                sum += wrapped(text, where);
            }
        }
        try {
            fail(null, where);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(sum);
        List<SplitsByText> made = new ArrayList<>();
        for (String name : new String[] {"x", null, "y", "x"}) {
            made.add(new SplitsByText(name));
        }
        System.out.println(made.get(1).name);
        StringBuilder builder = new StringBuilder("changes");
        Object[] anything = {
            null, "text", new String("text"), 7, builder, new Hostile(), anything(), "\ud800", "a\udc00b",
            "😀", "tab\tand\nline", "", "\u0000", "ü", "x".repeat(3_000_000), "é".repeat(200_000),
            "漢".repeat(2_000_000)
        };
        long total = 0;
        for (int round = 0; round < 3; round++) {
            for (Object one : anything) {
                total += any(round, one, 0.5);
                if (one instanceof CharSequence) {
                    total += sequence((CharSequence) one);
                    builder.append(round);
                }
            }
        }
        total += sequence(null);
        for (int i = 0; i < 1000; i++) {
            total += leaf(i % 2 == 0 ? "even" : "odd") + branching(i % 4 == 0 ? "four" : "other", 9);
        }
        // 5 texts of 3 calls each, then 100 others of 2 each.
        for (int i = 0; i < 15; i++) {
            total += many("first " + i % 5);
        }
        for (int i = 0; i < 200; i++) {
            total += many("later " + i % 100);
        }
        for (int i = 0; i < 50; i++) {
            total += sql("select * from item where id = " + i + " and name = 'n" + i + "'");
        }
        total += sql("select 1 from item where id in (1, 2, 3)") + sql("select 2 from item where id in (7)");
        System.out.println(total);
        try {
            new Hostile().length();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] arguments) throws Exception {
        Repeatable.main();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = start(() -> {
                for (int n = 0; n < 300; n++) {
                    inThread("t" + n % 30);
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        int own = 0;
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            own += frame.getClassName().equals("SplitsByText") ? 1 : 0;
        }
        System.out.println(own);
    }

    private static Object anything() {
        return new StringBuilder("builder");
    }

    /** A virtual thread if there are such. */
    private static Thread start(Runnable body) throws Exception {
        try {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            return (Thread) start.invoke(null, body);
        } catch (NoSuchMethodException e) {
            Thread thread = new Thread(body);
            thread.start();
            return thread;
        }
    }
}
