package java.lang;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What threads have instead of the fields that the agent adds to {@link Thread}, where it came into
 * a running JVM: a class that is loaded gets no fields. The agent then puts calls of these methods in
 * the place of what {@link SubsumeRuntime} reads and writes of the fields.
 *
 * <p>A slot lies in the word that was the thread's secondary seed, as the index of a word from the
 * start of the arena. 0, which a new thread has there, is the slot of threads without a tree. Trees are asked for
 * by the slow path only, so the agent keeps them.
 */
final class SubsumeSlots {
    static {
        bindNatives();
    }

    /** Address of word 0. */
    private static final long BASE = base();

    /**
     * How far word 0 lies behind a boundary of 16 GB, which is what 32 bits of words reach. Where the
     * agent got its range of addresses there, this is 0, and the compiler takes it away.
     */
    private static final long BEHIND_BOUNDARY = BASE & (1L << 34) - 1;

    private SubsumeSlots() {
    }

    /** Address of the slot that the thread's next callee hangs below. */
    @ForceInline
    @Hidden
    static long slot(Thread thread) {
        return BASE + ((thread.threadLocalRandomSecondarySeed & 0xFFFFFFFFL) << 2);
    }

    /** Sets it. */
    @ForceInline
    @Hidden
    static void setSlot(Thread thread, long slot) {
        thread.threadLocalRandomSecondarySeed = (int) (slot - BEHIND_BOUNDARY >>> 2);
    }

    /** Word index of the thread's tree; 0 before the first call. */
    static native int tree(Thread thread);

    /** Sets it. */
    static native void setTree(Thread thread, int tree);

    /** As in {@link SubsumeRuntime}. */
    private static native void bindNatives();

    private static native long base();
}
