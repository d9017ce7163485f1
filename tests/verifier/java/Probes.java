/**
 * What the probes of instrumented fixtures call: it counts, and it checks that every activation ends exactly once, in
 * nesting order, with the values that its entry probe stored in the locals added to the method.
 *
 * <p>Fixtures are single-threaded, so one stack depth is enough.
 */
public final class Probes {
    private static final long MARK = 0x1_0000_0001L;
    private static final Object WITNESS = new Object();

    private static int depth;
    private static long entries;
    private static long exits;
    private static long calls;
    private static long returns;
    private static long caught;
    private static long bytecodes;
    private static long mistakes;

    private Probes() {}

    /** An activation begins. The result is the depth before it; the exit probe must hand it back. */
    public static int enter(int method) {
        entries++;
        if (method < 0) {
            mistake("negative method number " + method);
        }
        return depth++;
    }

    /** A value for a local that takes two slots. */
    public static long mark(int token) {
        return token * MARK;
    }

    /** A value for a local that holds a reference. */
    public static Object witness() {
        return WITNESS;
    }

    /** An activation ends, by a return or by an exception, having executed some bytecodes. */
    public static void exit(int token, long mark, Object witness, int executed) {
        exits++;
        depth--;
        bytecodes += executed;
        if (depth != token) {
            mistake("exit at depth " + depth + " of an activation entered at depth " + token);
        }
        if (mark != token * MARK || witness != WITNESS) {
            mistake("an added local was overwritten");
        }
    }

    /** A call is about to be made. */
    public static void call(int site) {
        calls++;
        if (site < 0) {
            mistake("negative call site " + site);
        }
    }

    /** A call has returned normally. */
    public static void returned() {
        returns++;
    }

    /** An exception handler of the original method begins. */
    public static void caught() {
        caught++;
    }

    private static void mistake(String what) {
        mistakes++;
        if (mistakes < 10) {
            System.err.println("MISTAKE " + what);
        }
    }

    /** The counts since the last summary, as one line; they start again from zero. */
    static String summary(String fixture) {
        if (depth != 0) {
            mistake("depth is " + depth + " at the end");
        }
        String line = "PROBES " + fixture + " entries=" + entries + " exits=" + exits + " calls=" + calls + " returns="
                + returns + " caught=" + caught + " bytecodes=" + bytecodes + " mistakes=" + mistakes;
        depth = 0;
        entries = exits = calls = returns = caught = bytecodes = mistakes = 0;
        return line;
    }
}
