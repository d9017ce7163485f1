package java.lang;

import static java.lang.SubsumeResultTables.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What each thread keeps, outside the Java heap, of calls that go on: a frame for each, in the thread's
 * block. What they return is kept in {@link SubsumeResultTables}.
 */
final class SubsumeResultFrames {
    static final Unsafe U = Unsafe.getUnsafe();

    // Byte offsets in a thread's block; crates/instrument/src/dataflow/results/threads.rs says what they hold.
    // At offset 0 is the address behind the innermost frame.
    private static final int END = 8;
    static final int NEXT_IDENTITY = 16;
    private static final int TOO_DEEP = 24;

    // Byte offsets in a frame. The address of the header is at offset 0; it is 0 for what the JVM calls.
    private static final int INPUT = 8;
    private static final int RECEIVER = 16;
    private static final int START = 24;
    private static final int COST_BEFORE = 32;
    private static final int SAVING_BEFORE = 40;
    /** The least number of an object that was written, an int, and the number drawn next at entry. */
    static final int OLDEST = 48;
    private static final int YOUNGEST = 52;
    /** Bytecodes in the extent, when it has ended. */
    private static final int EXTENT = 56;
    static final int FRAME = 64;

    /** Beside the address of a header: a call whose input is left out. */
    private static final long LEFT_OUT_CALL = 1;

    /** Of what no longer is the oldest that is written. */
    private static final int NOTHING = Integer.MAX_VALUE;

    private SubsumeResultFrames() {
    }

    /** A method of an object is called; 0 if the call is not followed. */
    @DontInline
    @Hidden
    static long begin(Object object, int method) {
        long frame = begin(method);
        if (frame != 0) {
            long block = Thread.currentThread().$subsume$results;
            setReceiver(frame, SubsumeInputs.of(block + NEXT_IDENTITY, object));
        }
        return frame;
    }

    /** A method of an object is called, which is compared by what it holds, so many references deep. */
    @DontInline
    @Hidden
    static long begin(Object object, int method, int depth) {
        long frame = begin(method);
        if (frame != 0) {
            long block = Thread.currentThread().$subsume$results;
            setReceiver(frame, SubsumeStructures.of(block + NEXT_IDENTITY, object, depth));
        }
        return frame;
    }

    /** A static method is called; 0 if the call is not followed. */
    @DontInline
    @Hidden
    static long begin(int method) {
        Thread thread = Thread.currentThread();
        long block = thread.$subsume$results;
        if (block == 0) {
            block = SubsumeResultTables.attach(thread);
        }
        if (block == 0 || !SubsumeRuntime.recording) {
            return 0;
        }
        long header = SubsumeResultTables.header(block, thread, method);
        if (header == 0) {
            return 0;
        }
        long frame = U.getLong(null, block);
        if (frame == U.getLong(null, block + END)) {
            U.putLong(null, block + TOO_DEEP, U.getLong(null, block + TOO_DEEP) + 1);
            SubsumeResultTables.add(header + UNFOLLOWED, 1);
            return 0;
        }
        U.putLong(null, frame, header);
        U.putLong(null, frame + INPUT, 0);
        U.putLong(null, frame + RECEIVER, 0);
        return frame;
    }

    @ForceInline
    @Hidden
    static void setReceiver(long frame, long receiver) {
        U.putLong(null, frame + RECEIVER, receiver);
        U.putLong(null, frame + INPUT, receiver);
    }

    /** An input of the call that has begun. */
    @ForceInline
    @Hidden
    static void input(long frame, long value) {
        U.putLong(null, frame + INPUT, SubsumeInputs.mix(U.getLong(null, frame + INPUT), value));
    }

    @DontInline
    @Hidden
    static void input(long frame, Object value) {
        long block = Thread.currentThread().$subsume$results;
        input(frame, SubsumeInputs.of(block + NEXT_IDENTITY, value));
    }

    /** An input of the call, compared by what it holds, so many references deep. */
    @DontInline
    @Hidden
    static void input(long frame, Object value, int depth) {
        long block = Thread.currentThread().$subsume$results;
        input(frame, SubsumeStructures.of(block + NEXT_IDENTITY, value, depth));
    }

    /** All inputs of the call are told. Returns its frame; 0 if it is not followed. */
    @DontInline
    @Hidden
    static long enter(long frame) {
        Thread thread = Thread.currentThread();
        long block = thread.$subsume$results;
        long header = U.getLong(null, frame);
        long hash = SubsumeInputs.mix(0, U.getLong(null, frame + INPUT));
        if (hash == 0) {
            // That stands for no input.
            hash = 1;
        }
        if (SubsumeResultTables.isLeftOut(header, hash)) {
            U.putLong(null, header + LAST_INPUT, hash);
            if (U.getLong(null, header + RECEIVERS) != 0) {
                SubsumeResultTables.receive(header, U.getLong(null, frame + RECEIVER));
            }
            if ((U.getLong(null, header + KINDS) & FLUENT) == 0) {
                return leaveOut(header);
            }
            // It takes the frame to compare the result with the receiver.
            hash = 0;
        }
        U.putLong(null, frame + INPUT, hash);
        U.putLong(null, frame + START, thread.$subsume$bytecodes);
        U.putLong(null, frame + COST_BEFORE, U.getLong(null, header + COST));
        U.putLong(null, frame + SAVING_BEFORE, U.getLong(null, header + SAVING));
        U.putInt(null, frame + OLDEST, NOTHING);
        U.putInt(null, frame + YOUNGEST, SubsumeIdentities.DRAWN | U.getInt(null, block + NEXT_IDENTITY));
        U.putLong(null, block, frame + FRAME);
        return frame;
    }

    /** The frame of a call whose input is not kept: the kinds of result are, as long as any may hold. */
    @ForceInline
    @Hidden
    private static long leaveOut(long header) {
        return (U.getLong(null, header + KINDS) & ~PER_RECEIVER) == 0 ? 0 : header | LEFT_OUT_CALL;
    }

    /** What the JVM calls is entered. Returns its frame. */
    @DontInline
    @Hidden
    static long suspend(long block) {
        long frame = U.getLong(null, block);
        if (frame == U.getLong(null, block + END)) {
            return 0;
        }
        U.putLong(null, frame, 0);
        // Writes are those of nobody.
        U.putInt(null, frame + OLDEST, 0);
        U.putLong(null, block, frame + FRAME);
        return frame;
    }

    /** A method with a frame is left; it has executed so many bytecodes since it has last told. */
    @ForceInline
    @Hidden
    static void leave(Thread thread, long frame, int bytecodes) {
        long all = thread.$subsume$bytecodes + bytecodes;
        thread.$subsume$bytecodes = all;
        if (frame != 0 && (frame & LEFT_OUT_CALL) == 0) {
            pop(thread.$subsume$results, frame, all);
        }
    }

    @ForceInline
    @Hidden
    private static void pop(long block, long frame, long bytecodes) {
        int oldest = U.getInt(null, frame + OLDEST);
        // Calls that were not left in order ended by exceptions.
        for (long inner = U.getLong(null, block) - FRAME; inner > frame; inner -= FRAME) {
            int other = U.getLong(null, inner) == 0 ? NOTHING : U.getInt(null, inner + OLDEST);
            oldest = other < oldest ? other : oldest;
        }
        U.putInt(null, frame + OLDEST, oldest);
        U.putLong(null, frame + EXTENT, bytecodes - U.getLong(null, frame + START));
        U.putLong(null, block, frame);
        long outer = frame - FRAME;
        if (U.getLong(null, frame) != 0 && oldest < U.getInt(null, outer + OLDEST)) {
            U.putInt(null, outer + OLDEST, oldest);
        }
    }

    /** A call has returned this, having executed so many bytecodes since it has last told. */
    @DontInline
    @Hidden
    static void judge(long result, long frame, int bytecodes) {
        leave(Thread.currentThread(), frame, bytecodes);
        keep(frame, result);
    }

    @DontInline
    @Hidden
    static void judge(float result, long frame, int bytecodes) {
        if (result == result) {
            SubsumeResultTables.clear(headerOf(frame), NAN);
        }
        judge((long) Float.floatToRawIntBits(result), frame, bytecodes);
    }

    @DontInline
    @Hidden
    static void judge(double result, long frame, int bytecodes) {
        if (result == result) {
            SubsumeResultTables.clear(headerOf(frame), NAN);
        }
        judge(Double.doubleToRawLongBits(result), frame, bytecodes);
    }

    @DontInline
    @Hidden
    static void judge(Object result, long frame, int bytecodes) {
        Thread thread = Thread.currentThread();
        leave(thread, frame, bytecodes);
        judgeReference(frame, SubsumeInputs.of(thread.$subsume$results + NEXT_IDENTITY, result));
    }

    /** A call has returned an object, compared by what it holds, so many references deep. */
    @DontInline
    @Hidden
    static void judge(Object result, long frame, int bytecodes, int depth) {
        Thread thread = Thread.currentThread();
        leave(thread, frame, bytecodes);
        judgeReference(frame, SubsumeStructures.of(thread.$subsume$results + NEXT_IDENTITY, result, depth));
    }

    @ForceInline
    @Hidden
    private static void judgeReference(long frame, long value) {
        if (value != 0) {
            SubsumeResultTables.clear(headerOf(frame), NULL);
        }
        // A call that is left out has a frame as long as this may hold.
        if ((frame & LEFT_OUT_CALL) != 0 || value != U.getLong(null, frame + RECEIVER)) {
            SubsumeResultTables.clear(headerOf(frame), FLUENT);
        }
        keep(frame, value);
    }

    /** The header of the method of a frame, or of a call that is left out. */
    @ForceInline
    @Hidden
    private static long headerOf(long frame) {
        return (frame & LEFT_OUT_CALL) != 0 ? frame & ~LEFT_OUT_CALL : U.getLong(null, frame);
    }

    /** What a call has returned is kept. It has been left. */
    @ForceInline
    @Hidden
    private static void keep(long frame, long result) {
        if ((frame & LEFT_OUT_CALL) != 0) {
            SubsumeResultTables.compare(frame & ~LEFT_OUT_CALL, result);
            return;
        }
        long header = U.getLong(null, frame);
        long input = U.getLong(null, frame + INPUT);
        if (input == 0) {
            // A call that is left out, too.
            SubsumeResultTables.compare(header, result);
            return;
        }
        long extent = U.getLong(null, frame + EXTENT);
        boolean wrote = U.getInt(null, frame + OLDEST) < U.getInt(null, frame + YOUNGEST);
        long place = SubsumeResultTables.find(header + INPUTS, input);
        boolean isNew = U.getLong(null, place) == 0;
        // Of how many inputs this one stands for the others, too.
        long bits = isNew ? U.getLong(null, header + LEVEL) << WEIGHT_SHIFT
                : U.getLong(null, place + HITS);
        long weight = bits >>> WEIGHT_SHIFT;
        long one = 1L << weight;
        long returned = U.getLong(null, header + RETURNED);
        if (returned == 0) {
            U.putLong(null, header + FIRST_RESULT, result);
        } else {
            SubsumeResultTables.compare(header, result);
        }
        // What recursive calls have added is part of the extent.
        U.putLong(null, header + COST, U.getLong(null, frame + COST_BEFORE) + (extent << weight));
        returned += one;
        U.putLong(null, header + RETURNED, returned);
        if ((returned & ASKED_AFTER - 1) < one) {
            SubsumeResultTables.ask(header, returned);
        }
        if (wrote) {
            SubsumeResultTables.add(header + WROTE, one);
        }
        if (U.getLong(null, header + RECEIVERS) != 0) {
            long receiver = U.getLong(null, frame + RECEIVER);
            SubsumeResultTables.receive(header, receiver);
            SubsumeResultTables.giveTo(header, receiver, result);
        }
        boolean isLast = input == U.getLong(null, header + LAST_INPUT);
        U.putLong(null, header + LAST_INPUT, input);
        if (isNew) {
            U.putLong(null, place + RESULT, result);
            U.putLong(null, place + HITS, bits);
            U.putLong(null, place, input);
            SubsumeResultTables.fill(header, INPUTS);
            return;
        }
        if (U.getLong(null, place + RESULT) != result) {
            U.putLong(null, place + RESULT, result);
            SubsumeResultTables.add(header + CONFLICTS, one);
            if (U.getLong(null, header + RECEIVERS) == 0) {
                SubsumeResultTables.clear(header, PER_RECEIVER);
            }
            return;
        }
        U.putLong(null, place + HITS, bits + 1);
        SubsumeResultTables.add(header + ALL_HITS, one);
        if (isLast) {
            SubsumeResultTables.add(header + LAST_HITS, one);
        }
        long before = U.getLong(null, frame + SAVING_BEFORE);
        // Hits in recursive calls are part of this one.
        long more = extent - (U.getLong(null, header + SAVING) - before);
        SubsumeResultTables.add(place + ENTRY_SAVING, more);
        U.putLong(null, header + SAVING, before + extent);
        if (wrote) {
            SubsumeResultTables.add(header + HITS_THAT_WROTE, one);
        }
    }

    /** An object is written by the innermost call. */
    @DontInline
    @Hidden
    static void wrote(long block, Object owner) {
        if (owner != null) {
            long frame = U.getLong(null, block) - FRAME;
            int number = SubsumeIdentities.of(block + NEXT_IDENTITY, owner);
            if (number < U.getInt(null, frame + OLDEST)) {
                U.putInt(null, frame + OLDEST, number);
            }
        }
    }

    /** Initialises the class; true if calls can be followed. */
    static boolean isReady() {
        return SubsumeResultTables.isReady() && SubsumeStructures.isReady();
    }
}
