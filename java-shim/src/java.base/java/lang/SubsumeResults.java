package java.lang;

import static java.lang.SubsumeResultFrames.FRAME;
import static java.lang.SubsumeResultFrames.OLDEST;
import static java.lang.SubsumeResultTables.STOPPED;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What code calls that is instrumented for what methods return for the same input. Each thread has a frame
 * for each call that goes on ({@link SubsumeResultFrames}), and for each method a table of the inputs that
 * it has had and of what it returned ({@link SubsumeResultTables}).
 *
 * <p>An input is the receiver and the arguments ({@link SubsumeInputs}). Its hash stands for it.
 *
 * <p>As in {@link SubsumeRuntime}, nothing here allocates an object or takes a monitor.
 */
public final class SubsumeResults {
    static final Unsafe U = Unsafe.getUnsafe();

    /** A loop flushes its count when it reaches this number of bytecodes. */
    private static final int FLUSH = 1 << 16;

    private SubsumeResults() {
    }

    /** Whether calls of a method are followed no longer. */
    @ForceInline
    @Hidden
    static boolean isStopped(int method) {
        return U.getByte(null, STOPPED + method) != 0;
    }

    // Calls. Of methods with few arguments one probe tells everything, which keeps their code small.

    /** A method of an object is entered. Returns the frame of the call; 0 if it is not followed. */
    @ForceInline
    @Hidden
    public static long entered(Object receiver, int method) {
        return isStopped(method) ? 0 : SubsumeResultEntries.entered(receiver, method);
    }

    @ForceInline
    @Hidden
    public static long entered(Object receiver, long first, int method) {
        return isStopped(method) ? 0 : SubsumeResultEntries.entered(receiver, first, method);
    }

    @ForceInline
    @Hidden
    public static long entered(Object receiver, Object first, int method) {
        return isStopped(method) ? 0 : SubsumeResultEntries.entered(receiver, first, method);
    }

    @ForceInline
    @Hidden
    public static long entered(Object receiver, long first, long second, int method) {
        return isStopped(method) ? 0 : SubsumeResultEntries.entered(receiver, first, second, method);
    }

    @ForceInline
    @Hidden
    public static long entered(Object receiver, long first, Object second, int method) {
        return isStopped(method) ? 0 : SubsumeResultEntries.entered(receiver, first, second, method);
    }

    @ForceInline
    @Hidden
    public static long entered(Object receiver, Object first, long second, int method) {
        return isStopped(method) ? 0 : SubsumeResultEntries.entered(receiver, first, second, method);
    }

    @ForceInline
    @Hidden
    public static long entered(Object receiver, Object first, Object second, int method) {
        return isStopped(method) ? 0 : SubsumeResultEntries.entered(receiver, first, second, method);
    }

    /** A static method is entered. Returns the frame of the call; 0 if it is not followed. */
    @ForceInline
    @Hidden
    public static long enteredStatic(int method) {
        return isStopped(method) ? 0 : SubsumeResultEntries.enteredStatic(method);
    }

    @ForceInline
    @Hidden
    public static long enteredStatic(long first, int method) {
        return isStopped(method) ? 0 : SubsumeResultEntries.enteredStatic(first, method);
    }

    @ForceInline
    @Hidden
    public static long enteredStatic(Object first, int method) {
        return isStopped(method) ? 0 : SubsumeResultEntries.enteredStatic(first, method);
    }

    @ForceInline
    @Hidden
    public static long enteredStatic(long first, long second, int method) {
        return isStopped(method) ? 0 : SubsumeResultEntries.enteredStatic(first, second, method);
    }

    @ForceInline
    @Hidden
    public static long enteredStatic(long first, Object second, int method) {
        return isStopped(method) ? 0 : SubsumeResultEntries.enteredStatic(first, second, method);
    }

    @ForceInline
    @Hidden
    public static long enteredStatic(Object first, long second, int method) {
        return isStopped(method) ? 0 : SubsumeResultEntries.enteredStatic(first, second, method);
    }

    @ForceInline
    @Hidden
    public static long enteredStatic(Object first, Object second, int method) {
        return isStopped(method) ? 0 : SubsumeResultEntries.enteredStatic(first, second, method);
    }

    /**
     * A method is entered, whose arguments are told next. Returns the frame of the call; 0 if it is not
     * followed.
     */
    @ForceInline
    @Hidden
    public static long begun(Object receiver, int method) {
        return isStopped(method) ? 0 : SubsumeResultFrames.begin(receiver, method);
    }

    /** A static method is entered, whose arguments are told next. */
    @ForceInline
    @Hidden
    public static long begun(int method) {
        return isStopped(method) ? 0 : SubsumeResultFrames.begin(method);
    }

    /** A method is entered whose objects are compared by what they hold, so many references deep. */
    @ForceInline
    @Hidden
    public static long begun(Object receiver, int method, int depth) {
        return isStopped(method) ? 0 : SubsumeResultFrames.begin(receiver, method, depth);
    }

    /** Arguments of the call that has begun. */
    @ForceInline
    @Hidden
    public static void input(long frame, int value) {
        input(frame, (long) value);
    }

    @ForceInline
    @Hidden
    public static void input(long frame, long value) {
        if (frame != 0) {
            SubsumeResultFrames.input(frame, value);
        }
    }

    @ForceInline
    @Hidden
    public static void input(long frame, float value) {
        input(frame, (long) Float.floatToRawIntBits(value));
    }

    @ForceInline
    @Hidden
    public static void input(long frame, double value) {
        input(frame, Double.doubleToRawLongBits(value));
    }

    @ForceInline
    @Hidden
    public static void input(long frame, Object value) {
        if (frame != 0) {
            SubsumeResultFrames.input(frame, value);
        }
    }

    /** An argument, compared by what it holds, so many references deep. */
    @ForceInline
    @Hidden
    public static void input(long frame, Object value, int depth) {
        if (frame != 0) {
            SubsumeResultFrames.input(frame, value, depth);
        }
    }

    /** All arguments of the call that has begun are told. Returns its frame; 0 if it is not followed. */
    @ForceInline
    @Hidden
    public static long entered(long frame) {
        return frame == 0 ? 0 : SubsumeResultFrames.enter(frame);
    }

    /** What the JVM calls is entered. Returns its frame. */
    @ForceInline
    @Hidden
    public static long suspend() {
        long block = Thread.currentThread().$subsume$results;
        return block == 0 ? 0 : SubsumeResultFrames.suspend(block);
    }

    /** A method with a frame is left by an exception; it has executed so many bytecodes since it has last told. */
    @DontInline
    @Hidden
    public static void left(long frame, int bytecodes) {
        SubsumeResultFrames.leave(Thread.currentThread(), frame, bytecodes);
    }

    /** A method without a frame is left, or a count is flushed. */
    @ForceInline
    @Hidden
    public static void counted(int bytecodes) {
        Thread.currentThread().$subsume$bytecodes += bytecodes;
    }

    /** Start of a loop's body: the count is about to be flushed when it has become large. */
    @ForceInline
    @Hidden
    public static void polled(int bytecodes) {
        if (bytecodes >= FLUSH) {
            counted(bytecodes);
        }
    }

    // Results. The method has executed so many bytecodes since it last reported them.

    @ForceInline
    @Hidden
    public static void returned(long result, long frame, int bytecodes) {
        if (frame == 0) {
            counted(bytecodes);
        } else {
            SubsumeResultFrames.judge(result, frame, bytecodes);
        }
    }

    @ForceInline
    @Hidden
    public static void returned(float result, long frame, int bytecodes) {
        if (frame == 0) {
            counted(bytecodes);
        } else {
            SubsumeResultFrames.judge(result, frame, bytecodes);
        }
    }

    @ForceInline
    @Hidden
    public static void returned(double result, long frame, int bytecodes) {
        if (frame == 0) {
            counted(bytecodes);
        } else {
            SubsumeResultFrames.judge(result, frame, bytecodes);
        }
    }

    @ForceInline
    @Hidden
    public static void returned(Object result, long frame, int bytecodes) {
        if (frame == 0) {
            counted(bytecodes);
        } else {
            SubsumeResultFrames.judge(result, frame, bytecodes);
        }
    }

    /** An object was returned, compared by what it holds, so many references deep. */
    @ForceInline
    @Hidden
    public static void returned(Object result, long frame, int bytecodes, int depth) {
        if (frame == 0) {
            counted(bytecodes);
        } else {
            SubsumeResultFrames.judge(result, frame, bytecodes, depth);
        }
    }

    // Writes.

    /** A field, or an element, of an object is about to be written. */
    @ForceInline
    @Hidden
    public static void wrote(Object owner) {
        long block = Thread.currentThread().$subsume$results;
        if (block != 0 && U.getInt(null, U.getLong(null, block) - FRAME + OLDEST) != 0) {
            SubsumeResultFrames.wrote(block, owner);
        }
    }

    /** An object is about to be written by an offset; memory outside the heap if there is none. */
    @ForceInline
    @Hidden
    public static void wroteByOffset(Object owner) {
        if (owner == null) {
            wroteSomewhere();
        } else {
            wrote(owner);
        }
    }

    /** Something else has an effect. */
    @ForceInline
    @Hidden
    public static void wroteSomewhere() {
        long block = Thread.currentThread().$subsume$results;
        if (block != 0) {
            U.putInt(null, U.getLong(null, block) - FRAME + OLDEST, 0);
        }
    }

    /** Initialises the class; true if objects have room for numbers. */
    static boolean canFollow() {
        return SubsumeResultFrames.isReady();
    }
}
