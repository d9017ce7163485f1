package java.lang;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The tracking stack: how shadows of arguments and results get from method to method. See {@link
 * SubsumeDataflow} for what a shadow is.
 *
 * <p>It consists of fields of the thread. A caller leaves the shadows of the arguments and what it
 * expects to be called; a callee that is not it has been called by other code and knows nothing.
 *
 * <p>Others may have its name and descriptor. So code that is not followed clears the word that says
 * what is expected before it calls anything and before it returns a value, and so do the functions of
 * JNI by which native code calls.
 */
public final class SubsumeStack {
    /** Expected callee: the next method that is called gets no shadows, because all are 0. */
    static final int NOTHING = 1;

    /** Expected callee: code that is not followed calls it, without shadows. So a thread begins. */
    private static final int UNKNOWN = 0;

    /**
     * Expected callees from here on are constructors that get what lambda expressions capture; as in
     * crates/instrument/src/dataflow/tracking/calls.rs.
     */
    private static final int CAPTURING = 1 << 30;

    /** In place of an expected callee: the method that asks. */
    private static final int ITSELF = -1;

    /** In an expected callee: it gets no shadows, but the owner is for it. */
    private static final int SHADOWLESS = 1 << 29;

    private SubsumeStack() {
    }

    /** Nothing is known of the arguments of the next call, or there are none. */
    @ForceInline
    @Hidden
    public static void noArguments() {
        Thread.currentThread().$subsume$callee = NOTHING;
    }

    /** Native code calls by a function of JNI. Returns the context in which it does. */
    @Hidden
    static int nativeCalls() {
        Thread thread = Thread.currentThread();
        thread.$subsume$callee = NOTHING;
        return thread.$subsume$chain;
    }

    /** What it called has returned, or thrown: so a constructor leaves its own context. */
    @Hidden
    static void nativeReturns(int chain) {
        Thread thread = Thread.currentThread();
        thread.$subsume$callee = NOTHING;
        thread.$subsume$chain = chain;
    }

    /** Code that is not followed calls, or returns a value. */
    @ForceInline
    @Hidden
    public static void unfollowed() {
        Thread.currentThread().$subsume$callee = UNKNOWN;
    }

    /**
     * Code of method handles does. Who calls a handle has consumed the arguments. But what a lambda
     * expression captures goes by such code to the constructor that is meant.
     */
    @ForceInline
    @Hidden
    public static void unfollowedHandle() {
        Thread thread = Thread.currentThread();
        if (thread.$subsume$callee < CAPTURING) {
            thread.$subsume$callee = NOTHING;
        }
    }

    /** The shadow of the only argument of the next call. */
    @ForceInline
    @Hidden
    public static void arguments(long s0, int callee) {
        Thread thread = Thread.currentThread();
        thread.$subsume$a0 = s0;
        thread.$subsume$callee = callee;
    }

    /** The shadows of its two arguments. */
    @ForceInline
    @Hidden
    public static void arguments(long s0, long s1, int callee) {
        Thread thread = Thread.currentThread();
        thread.$subsume$a0 = s0;
        thread.$subsume$a1 = s1;
        thread.$subsume$callee = callee;
    }

    /** The shadows of its three arguments. */
    @ForceInline
    @Hidden
    public static void arguments(long s0, long s1, long s2, int callee) {
        Thread thread = Thread.currentThread();
        thread.$subsume$a0 = s0;
        thread.$subsume$a1 = s1;
        thread.$subsume$a2 = s2;
        thread.$subsume$callee = callee;
    }

    /** The shadows of its four arguments. */
    @ForceInline
    @Hidden
    public static void arguments(long s0, long s1, long s2, long s3, int callee) {
        Thread thread = Thread.currentThread();
        thread.$subsume$a0 = s0;
        thread.$subsume$a1 = s1;
        thread.$subsume$a2 = s2;
        thread.$subsume$a3 = s3;
        thread.$subsume$callee = callee;
    }

    /** The shadows of the fifth to the eighth argument, behind the others. */
    @ForceInline
    @Hidden
    public static void moreArguments(long s4, long s5, long s6, long s7) {
        Thread thread = Thread.currentThread();
        thread.$subsume$a4 = s4;
        thread.$subsume$a5 = s5;
        thread.$subsume$a6 = s6;
        thread.$subsume$a7 = s7;
    }

    /** An argument with this shadow is passed for which the tracking stack has no room. */
    @ForceInline
    @Hidden
    public static void dropped(long shadow) {
        if (shadow != 0) {
            SubsumeDataflow.loseArgument();
        }
    }

    /**
     * Entry of a method: whether the shadows on the tracking stack are those of its arguments; if
     * they are for another one, they are lost. Whatever is called from here on finds others.
     */
    @ForceInline
    @Hidden
    public static int entered(int callee) {
        Thread thread = Thread.currentThread();
        int expected = thread.$subsume$callee;
        thread.$subsume$callee = NOTHING;
        if (expected == callee) {
            return -1;
        }
        if (expected != NOTHING && expected >>> 29 != 1) {
            SubsumeDataflow.loseArguments();
        }
        return 0;
    }

    // Static methods make objects on behalf of an owner, as SubsumeAllocations has it.

    /** The owner that the next call passes on to a static method, together with its arguments. */
    @ForceInline
    @Hidden
    public static void owner(int owner) {
        Thread.currentThread().$subsume$owner = owner;
    }

    /** The owner that the next call passes on; nothing is known of its arguments. */
    @ForceInline
    @Hidden
    public static void ownerAlone(int owner, int callee) {
        Thread thread = Thread.currentThread();
        thread.$subsume$owner = owner;
        thread.$subsume$callee = callee | SHADOWLESS;
    }

    /** Entry of a static method that asks for its owner, too: as {@link #entered}. */
    @ForceInline
    @Hidden
    public static int enteredStatic(int callee) {
        Thread thread = Thread.currentThread();
        int expected = thread.$subsume$callee;
        thread.$subsume$callee = NOTHING;
        if (expected == callee) {
            return -1;
        }
        if (expected != (callee | SHADOWLESS)) {
            thread.$subsume$owner = 0;
            if (expected != NOTHING && expected >>> 29 != 1) {
                SubsumeDataflow.loseArguments();
            }
        }
        return 0;
    }

    /** The owner that was passed on; 0 if the method was called by code that passes on none. */
    @ForceInline
    @Hidden
    public static int passedOwner() {
        return Thread.currentThread().$subsume$owner;
    }

    /** Shadow of the first parameter; known, here and below, is what {@link #entered} returned. */
    @ForceInline
    @Hidden
    public static long parameter0(int known) {
        return Thread.currentThread().$subsume$a0 & known;
    }

    /** Shadow of the second parameter. */
    @ForceInline
    @Hidden
    public static long parameter1(int known) {
        return Thread.currentThread().$subsume$a1 & known;
    }

    /** Shadow of the third parameter. */
    @ForceInline
    @Hidden
    public static long parameter2(int known) {
        return Thread.currentThread().$subsume$a2 & known;
    }

    /** Shadow of the fourth parameter. */
    @ForceInline
    @Hidden
    public static long parameter3(int known) {
        return Thread.currentThread().$subsume$a3 & known;
    }

    /** Shadow of the fifth parameter. */
    @ForceInline
    @Hidden
    public static long parameter4(int known) {
        return Thread.currentThread().$subsume$a4 & known;
    }

    /** Shadow of the sixth parameter. */
    @ForceInline
    @Hidden
    public static long parameter5(int known) {
        return Thread.currentThread().$subsume$a5 & known;
    }

    /** Shadow of the seventh parameter. */
    @ForceInline
    @Hidden
    public static long parameter6(int known) {
        return Thread.currentThread().$subsume$a6 & known;
    }

    /** Shadow of the eighth parameter. */
    @ForceInline
    @Hidden
    public static long parameter7(int known) {
        return Thread.currentThread().$subsume$a7 & known;
    }

    /**
     * Entry of a method that the JVM may call in the middle of a call: what the tracking stack is
     * meant for.
     */
    @ForceInline
    @Hidden
    public static int interrupted(int callee) {
        int expected = Thread.currentThread().$subsume$callee;
        return expected == callee ? ITSELF : expected;
    }

    /** Exit of such a method: puts the tracking stack back. */
    @Hidden
    public static void resume(
            long s0, long s1, long s2, long s3, long s4, long s5, long s6, long s7, int owner,
            int callee) {
        if (callee != ITSELF) {
            Thread thread = Thread.currentThread();
            thread.$subsume$a0 = s0;
            thread.$subsume$a1 = s1;
            thread.$subsume$a2 = s2;
            thread.$subsume$a3 = s3;
            thread.$subsume$a4 = s4;
            thread.$subsume$a5 = s5;
            thread.$subsume$a6 = s6;
            thread.$subsume$a7 = s7;
            thread.$subsume$owner = owner;
            thread.$subsume$callee = callee;
        }
    }

    /** A call has returned: all bits if nobody has taken its arguments, else none. */
    @ForceInline
    @Hidden
    public static long notTaken(int callee) {
        return Thread.currentThread().$subsume$callee == callee ? -1 : 0;
    }

    /** A method returns a value with this shadow. */
    @ForceInline
    @Hidden
    public static void returns(long shadow, int callee) {
        Thread thread = Thread.currentThread();
        thread.$subsume$result = shadow;
        thread.$subsume$callee = ~callee;
    }

    /** Shadow of what was returned, if the callee says that it is its own. */
    @ForceInline
    @Hidden
    public static long result(int callee) {
        Thread thread = Thread.currentThread();
        return thread.$subsume$callee == ~callee ? thread.$subsume$result : 0;
    }
}
