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

    public static native Thread currentThread();

    public void run() {
    }
}
