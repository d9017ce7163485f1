package jp2;

/**
 * Where a thread is in its calling context tree.
 *
 * <p>What is called here must not be instrumented: {@code java.lang.Object}
 * and {@code java.lang.Thread}.
 */
public final class Context {
    /** By the thread's id. A field added to {@code Thread} would need the JDK rewritten in advance. */
    private static volatile Context[] byThread = new Context[256];

    /** The context of the method that runs. */
    public Node node = new Node(null, -1, -1);

    /** Position, in that method, of the call that comes next. */
    public int site;

    private final Node root = node;

    private Context() {}

    /** That of the current thread. */
    @SuppressWarnings("deprecation") // Its successor is not in JDK 17.
    public static Context current() {
        int thread = (int) Thread.currentThread().getId();
        Context[] contexts = byThread;
        if (thread < contexts.length) {
            Context context = contexts[thread];
            if (context != null) {
                return context;
            }
        }
        return create(thread);
    }

    private static synchronized Context create(int thread) {
        Context[] contexts = byThread;
        if (thread >= contexts.length) {
            Context[] larger = new Context[2 * thread];
            System.arraycopy(contexts, 0, larger, 0, contexts.length);
            contexts = larger;
        }
        Context context = new Context();
        contexts[thread] = context;
        byThread = contexts;
        return context;
    }

    /** Enters a method; its context. */
    public Node enter(int method) {
        Node callee = node.child(method, site);
        callee.calls++;
        node = callee;
        return callee;
    }

    /** Goes on in a tree that counts for nothing; where the thread was. */
    public Node interrupt() {
        Node interrupted = node;
        node = new Node(null, -1, -1);
        return interrupted;
    }

    /** Contexts, calls and bytecodes of all threads. */
    public static long[] sums() {
        long[] sums = new long[3];
        for (Context context : byThread) {
            if (context != null) {
                context.root.sum(sums);
            }
        }
        return sums;
    }
}
