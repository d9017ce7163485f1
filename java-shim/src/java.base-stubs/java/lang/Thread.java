package java.lang;

/**
 * What javac needs to know of the thread class: with the fields that the agent adds when the real
 * one is loaded. Never emitted.
 */
public class Thread implements Runnable {
    /** Address of the slot that the next callee hangs below. */
    long $subsume$slot;

    /** Word index of the thread's tree; 0 before the first call. */
    int $subsume$tree;

    /** Address of the heads of the thread's table of edges; 0 before the first edge. */
    long $subsume$edges;

    /** The tracking stack: the callee that its arguments, or the result, belong to. */
    int $subsume$callee;
    int $subsume$owner;

    /** Shadow of what was returned last. */
    long $subsume$result;

    // Shadows of the arguments.
    long $subsume$a0;
    long $subsume$a1;
    long $subsume$a2;
    long $subsume$a3;
    long $subsume$a4;
    long $subsume$a5;
    long $subsume$a6;
    long $subsume$a7;

    /** Tag of the object whose constructor is about to be called; 0 if it is not known. */
    int $subsume$birth;

    /** Lowest address of the thread's stack, and its size; 0 before they were asked for. */
    long $subsume$stack;
    long $subsume$stackBytes;

    /** Hashed sites of all receivers on the stack, where they are contexts. */
    int $subsume$chain;

    /** Address of the thread's table of counters of objects; 0 before the first object. */
    long $subsume$births;

    /** Address of the words that lead to the thread's counters of basic blocks; 0 before the first. */
    long $subsume$frequencies;

    /** What the mark of the thread's next array gets; see SubsumeClockCache. 0 before the first one. */
    long $subsume$place;

    /** What the next NullPointerException is raised for: its node, and the node before. */
    long $subsume$raised;

    /** Address of the block for what the thread does in loops; 0 before the first one. */
    long $subsume$loops;

    /** Address of the block for what the thread does to objects that follow protocols; 0 before the first one. */
    long $subsume$typestates;

    /** Address of the block for what the thread's calls return; 0 before the first one. */
    long $subsume$results;
    long $subsume$bytecodes;

    /** The JDK's own. */
    int threadLocalRandomSecondarySeed;

    public Thread() {
    }

    public Thread(
            ThreadGroup group, Runnable target, String name, long stackSize, boolean inheritLocals) {
    }

    public final ThreadGroup getThreadGroup() {
        return null;
    }

    public static native Thread currentThread();

    public static native boolean holdsLock(Object object);

    public void run() {
    }
}
