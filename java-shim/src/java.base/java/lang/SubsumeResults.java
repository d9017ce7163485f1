package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What code calls that is instrumented for what methods return for the same input. Each thread has,
 * outside the Java heap, a frame for each call that goes on, and for each method a table of the inputs
 * that it has had and of what it returned; recorder/src/results/tables.rs says what they look like.
 *
 * <p>An input is the receiver and the arguments: values by their bits, strings by their contents, other
 * objects by their numbers. Its hash stands for it.
 *
 * <p>As in {@link SubsumeRuntime}, nothing here allocates an object or takes a monitor.
 */
public final class SubsumeResults {
    static {
        bindNatives();
    }

    private static final Unsafe U = Unsafe.getUnsafe();

    // Byte offsets in a thread's block; recorder/src/dataflow/results/threads.rs says what they hold.
    // At offset 0 is the address behind the innermost frame.
    private static final int END = 8;
    private static final int BYTECODES = 16;
    private static final int NEXT_IDENTITY = 24;
    private static final int TOO_DEEP = 32;
    private static final int PAGES = 48;
    private static final int PAGE_BITS = 8;
    private static final int MOST_PAGES = 1 << 10;

    /** Beside {@link #NEXT_IDENTITY}, how many objects {@link SubsumeStructures} may still look at. */
    static final int LEFT_TO_SEE = 16;

    // Byte offsets in the header of a method.
    private static final int METHOD = 0;
    private static final int RETURNED = 8;
    private static final int UNFOLLOWED = 16;
    private static final int COST = 24;
    private static final int SAVING = 32;
    private static final int LAST_HITS = 40;
    private static final int CONFLICTS = 48;
    private static final int WROTE = 56;
    private static final int HITS_THAT_WROTE = 64;
    private static final int KINDS = 72;
    private static final int FIRST_RESULT = 80;
    private static final int LAST_INPUT = 88;
    private static final int FIRST_RETURNED = 96;
    private static final int LAST_RECEIVER = 104;
    private static final int INPUTS = 112;
    private static final int RECEIVERS = 144;
    private static final int LEVEL = 176;
    private static final int ALL_HITS = 184;
    private static final int FREQUENT = 192;

    // Byte offsets from the address of a table there.
    private static final int SHIFT = 8;
    private static final int LEFT_OUT = 16;
    private static final int LEFT = 24;

    // Byte offsets in an input or receiver; its hash is at offset 0.
    private static final int RESULT = 8;
    private static final int HITS = 16;
    private static final int ENTRY_SAVING = 24;

    /** Above its hits is the binary logarithm of the number of inputs that it stands for. */
    private static final int WEIGHT_SHIFT = 58;

    /** Binary logarithm of the bytes of one. */
    private static final int LOG_OF_ENTRY = 5;

    // Byte offsets in a frame. The address of the header is at offset 0; it is 0 for what the JVM calls.
    private static final int INPUT = 8;
    private static final int RECEIVER = 16;
    private static final int START = 24;
    private static final int COST_BEFORE = 32;
    private static final int SAVING_BEFORE = 40;
    /** The least number of an object that was written, an int, and the number drawn next at entry. */
    private static final int OLDEST = 48;
    private static final int YOUNGEST = 52;
    /** Bytecodes in the extent, when it has ended. */
    private static final int EXTENT = 56;
    private static final int FRAME = 64;

    /** Beside the address of a header: a call whose input is left out. */
    private static final long LEFT_OUT_CALL = 1;

    // Kinds of result.
    private static final int FLUENT = 1;
    private static final int NULL = 2;
    private static final int ONE_VALUE = 4;
    private static final int PER_RECEIVER = 8;
    private static final int NAN = 16;
    private static final int VOID = 32;

    /** After so many calls, and again and again, it is asked whether a cache could be of use. */
    private static final int ASKED_AFTER = 1 << 14;

    /** After so many of them, whether there are hits enough. */
    private static final int HITS_AFTER = 1 << 16;

    /** One call of so many must be a hit then. */
    private static final int RARE = 4;

    /** Calls that execute fewer bytecodes in the mean need no cache: looking something up takes more. */
    private static final int CHEAP = 32;

    /** A loop flushes its count when it reaches this number of bytecodes. */
    private static final int FLUSH = 1 << 16;

    /** The golden ratio, and a number that the finaliser of SplitMix64 multiplies by. */
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final long MIX_AGAIN = 0x94D0_49BB_1331_11EBL;

    /** Of strings with so many bytes at most, all are compared. */
    private static final int ALL_BYTES = 128;

    /** Of what no longer is the oldest that is written. */
    private static final int NOTHING = Integer.MAX_VALUE;

    private static final long STRING_BYTES = U.objectFieldOffset(String.class, "value");
    private static final long STRING_HASH = U.objectFieldOffset(String.class, "hash");
    private static final long STRING_CODER = U.objectFieldOffset(String.class, "coder");
    /** The type of what Unsafe says of it differs by JDK. */
    static final long FIRST_BYTE = firstByte();

    /** Address of a byte for each method: not 0 if its calls are followed no longer. */
    private static final long STOPPED = stopped();

    private SubsumeResults() {
    }

    // Inputs.

    /**
     * The hash of what has this hash so far, and a value. Numbers of receivers and values are often small
     * and near each other, so only one of the two is multiplied before they meet.
     */
    @ForceInline
    @Hidden
    static long mix(long hash, long value) {
        long both = hash * MIX ^ value;
        long product = (both ^ both >>> 32) * MIX_AGAIN;
        return product ^ product >>> 29;
    }

    /** What stands for an object. */
    @ForceInline
    @Hidden
    private static long value(long block, Object object) {
        return object instanceof String ? contents(object)
                : SubsumeIdentities.of(block + NEXT_IDENTITY, object);
    }

    /** What stands for the contents of a string; it has a bit that no number of an object has. */
    @DontInline
    @Hidden
    static long contents(Object string) {
        Object bytes = U.getReference(string, STRING_BYTES);
        int length = ((byte[]) bytes).length;
        byte coder = U.getByte(string, STRING_CODER);
        long sample = (long) length << 1 | coder;
        if (length < 8) {
            for (int at = 0; at < length; at++) {
                sample = sample << 8 | U.getByte(bytes, FIRST_BYTE + at) & 0xFF;
            }
            return mix(0, sample) | Long.MIN_VALUE;
        }
        if (length <= ALL_BYTES) {
            for (int at = 0; at < length - 8; at += 8) {
                sample = mix(sample, U.getLong(bytes, FIRST_BYTE + at));
            }
            return mix(sample, U.getLong(bytes, FIRST_BYTE + length - 8)) | Long.MIN_VALUE;
        }
        int hash = U.getInt(string, STRING_HASH);
        if (hash == 0) {
            hash = hash(bytes, length, coder);
            U.putInt(string, STRING_HASH, hash);
        }
        // Long strings of equal hashes differ in length, or at the ends, or in the middle.
        sample = mix(sample, hash);
        sample = mix(sample, U.getLong(bytes, FIRST_BYTE));
        sample = mix(sample, U.getLong(bytes, FIRST_BYTE + (length >>> 1) - 4));
        return mix(sample, U.getLong(bytes, FIRST_BYTE + length - 8)) | Long.MIN_VALUE;
    }

    /** The hash that the string computes itself. */
    @DontInline
    @Hidden
    private static int hash(Object bytes, int length, byte coder) {
        int hash = 0;
        if (coder == 0) {
            for (int at = 0; at < length; at++) {
                hash = 31 * hash + (U.getByte(bytes, FIRST_BYTE + at) & 0xFF);
            }
        } else {
            for (int at = 0; at < length; at += 2) {
                hash = 31 * hash + U.getChar(bytes, FIRST_BYTE + at);
            }
        }
        return hash;
    }

    // Calls.

    /** A method without arguments is entered. Returns its frame; 0 if the call is not followed. */
    @ForceInline
    @Hidden
    public static long entered(Object receiver, int method) {
        return U.getByte(null, STOPPED + method) != 0 ? 0 : enter(begin(receiver, method));
    }

    /** Likewise, one with arguments, which are told next. */
    @ForceInline
    @Hidden
    public static long begun(Object receiver, int method) {
        return U.getByte(null, STOPPED + method) != 0 ? 0 : begin(receiver, method);
    }

    /** Likewise, one without a receiver. */
    @ForceInline
    @Hidden
    public static long begun(int method) {
        return U.getByte(null, STOPPED + method) != 0 ? 0 : begin(method);
    }

    /** Likewise, with objects compared by what they hold, so many references deep. */
    @ForceInline
    @Hidden
    public static long begun(Object receiver, int method, int depth) {
        return U.getByte(null, STOPPED + method) != 0 ? 0 : begin(receiver, method, depth);
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
            U.putLong(null, frame + INPUT, mix(U.getLong(null, frame + INPUT), value));
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
            add(frame, value);
        }
    }

    /** Likewise, by what it holds, so many references deep. */
    @ForceInline
    @Hidden
    public static void input(long frame, Object value, int depth) {
        if (frame != 0) {
            add(frame, value, depth);
        }
    }

    @DontInline
    @Hidden
    private static void add(long frame, Object value, int depth) {
        long block = Thread.currentThread().$subsume$results;
        input(frame, SubsumeStructures.of(block + NEXT_IDENTITY, value, depth));
    }

    @DontInline
    @Hidden
    private static void add(long frame, Object value) {
        input(frame, value(Thread.currentThread().$subsume$results, value));
    }

    /** All arguments of the call that has begun are told. Returns its frame; 0 if it is not followed. */
    @ForceInline
    @Hidden
    public static long entered(long frame) {
        return frame == 0 ? 0 : enter(frame);
    }

    @DontInline
    @Hidden
    private static long begin(Object object, int method) {
        long frame = begin(method);
        if (frame != 0) {
            long receiver = value(Thread.currentThread().$subsume$results, object);
            U.putLong(null, frame + RECEIVER, receiver);
            U.putLong(null, frame + INPUT, receiver);
        }
        return frame;
    }

    @DontInline
    @Hidden
    private static long begin(Object object, int method, int depth) {
        long frame = begin(method);
        if (frame != 0) {
            long block = Thread.currentThread().$subsume$results;
            long receiver = SubsumeStructures.of(block + NEXT_IDENTITY, object, depth);
            U.putLong(null, frame + RECEIVER, receiver);
            U.putLong(null, frame + INPUT, receiver);
        }
        return frame;
    }

    @DontInline
    @Hidden
    private static long begin(int method) {
        Thread thread = Thread.currentThread();
        long block = thread.$subsume$results;
        if (block == 0) {
            block = attach(thread);
        }
        if (block == 0 || !SubsumeRuntime.recording) {
            return 0;
        }
        long page = U.getLong(null, block + PAGES + ((method >>> PAGE_BITS & MOST_PAGES - 1) << 3));
        long header = U.getLong(null, page + ((method & (1 << PAGE_BITS) - 1) << 3));
        if (header == 0) {
            header = header(SubsumeRuntime.tree(thread), method);
            if (header == 0) {
                return 0;
            }
        }
        long frame = U.getLong(null, block);
        if (frame == U.getLong(null, block + END)) {
            U.putLong(null, block + TOO_DEEP, U.getLong(null, block + TOO_DEEP) + 1);
            add(header + UNFOLLOWED, 1);
            return 0;
        }
        U.putLong(null, frame, header);
        U.putLong(null, frame + INPUT, 0);
        U.putLong(null, frame + RECEIVER, 0);
        return frame;
    }

    @DontInline
    @Hidden
    private static long enter(long frame) {
        if (frame == 0) {
            return 0;
        }
        long block = Thread.currentThread().$subsume$results;
        long header = U.getLong(null, frame);
        long hash = mix(0, U.getLong(null, frame + INPUT));
        if (hash == 0) {
            // That stands for no input.
            hash = 1;
        }
        if ((hash & U.getLong(null, header + INPUTS + LEFT_OUT)) != 0
                && ((U.getLong(null, header + FREQUENT + (hash >>> 60 << 3)) >>> (hash >>> 54) & 1) == 0
                        || U.getLong(null, find(header + INPUTS, hash)) == 0)) {
            U.putLong(null, header + LAST_INPUT, hash);
            if (U.getLong(null, header + RECEIVERS) != 0) {
                receive(header, U.getLong(null, frame + RECEIVER));
            }
            if ((U.getLong(null, header + KINDS) & FLUENT) == 0) {
                return leaveOut(header);
            }
            // It takes the frame to compare the result with the receiver.
            hash = 0;
        }
        U.putLong(null, frame + INPUT, hash);
        U.putLong(null, frame + START, U.getLong(null, block + BYTECODES));
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

    /** A thread gets a block; 0 if nothing is recorded of it. */
    @DontInline
    @Hidden
    private static long attach(Thread thread) {
        return thread.$subsume$results = attach(SubsumeRuntime.tree(thread));
    }

    /** What the JVM calls is entered. Returns its frame. */
    @DontInline
    @Hidden
    public static long suspend() {
        long block = Thread.currentThread().$subsume$results;
        if (block == 0) {
            return 0;
        }
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

    /** A method with a frame is left by an exception that has executed so many bytecodes since it has last told. */
    @DontInline
    @Hidden
    public static void left(long frame, int bytecodes) {
        long block = Thread.currentThread().$subsume$results;
        if (block != 0) {
            leave(block, frame, bytecodes);
        }
    }

    @ForceInline
    @Hidden
    private static void leave(long block, long frame, int bytecodes) {
        long all = U.getLong(null, block + BYTECODES) + bytecodes;
        U.putLong(null, block + BYTECODES, all);
        if (frame != 0 && (frame & LEFT_OUT_CALL) == 0) {
            pop(block, frame, all);
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

    /** A method without a frame is left, or a count is flushed. */
    @ForceInline
    @Hidden
    public static void counted(int bytecodes) {
        long block = Thread.currentThread().$subsume$results;
        if (block != 0) {
            U.putLong(null, block + BYTECODES, U.getLong(null, block + BYTECODES) + bytecodes);
        }
    }

    /** Start of a loop's body: the count is about to be flushed when it has become large. */
    @ForceInline
    @Hidden
    public static void polled(int bytecodes) {
        if (bytecodes >= FLUSH) {
            counted(bytecodes);
        }
    }

    // Results. The method has executed so many bytecodes since it has last told of them.

    @ForceInline
    @Hidden
    public static void returned(long result, long frame, int bytecodes) {
        if (frame == 0) {
            counted(bytecodes);
        } else {
            judge(result, frame, bytecodes);
        }
    }

    @ForceInline
    @Hidden
    public static void returned(float result, long frame, int bytecodes) {
        if (frame == 0) {
            counted(bytecodes);
        } else {
            judge(result, frame, bytecodes);
        }
    }

    @ForceInline
    @Hidden
    public static void returned(double result, long frame, int bytecodes) {
        if (frame == 0) {
            counted(bytecodes);
        } else {
            judge(result, frame, bytecodes);
        }
    }

    @ForceInline
    @Hidden
    public static void returned(Object result, long frame, int bytecodes) {
        if (frame == 0) {
            counted(bytecodes);
        } else {
            judge(result, frame, bytecodes);
        }
    }

    /** Likewise, by what it holds, so many references deep. */
    @ForceInline
    @Hidden
    public static void returned(Object result, long frame, int bytecodes, int depth) {
        if (frame == 0) {
            counted(bytecodes);
        } else {
            judge(result, frame, bytecodes, depth);
        }
    }

    @DontInline
    @Hidden
    private static void judge(long result, long frame, int bytecodes) {
        leave(Thread.currentThread().$subsume$results, frame, bytecodes);
        judge(frame, result);
    }

    @DontInline
    @Hidden
    private static void judge(float result, long frame, int bytecodes) {
        if (result == result) {
            clear(headerOf(frame), NAN);
        }
        judge((long) Float.floatToRawIntBits(result), frame, bytecodes);
    }

    @DontInline
    @Hidden
    private static void judge(double result, long frame, int bytecodes) {
        if (result == result) {
            clear(headerOf(frame), NAN);
        }
        judge(Double.doubleToRawLongBits(result), frame, bytecodes);
    }

    @DontInline
    @Hidden
    private static void judge(Object result, long frame, int bytecodes) {
        long block = Thread.currentThread().$subsume$results;
        leave(block, frame, bytecodes);
        judgeReference(frame, value(block, result));
    }

    @DontInline
    @Hidden
    private static void judge(Object result, long frame, int bytecodes, int depth) {
        long block = Thread.currentThread().$subsume$results;
        leave(block, frame, bytecodes);
        judgeReference(frame, SubsumeStructures.of(block + NEXT_IDENTITY, result, depth));
    }

    @ForceInline
    @Hidden
    private static void judgeReference(long frame, long value) {
        if (value != 0) {
            clear(headerOf(frame), NULL);
        }
        // A call that is left out has a frame as long as this may hold.
        if ((frame & LEFT_OUT_CALL) != 0 || value != U.getLong(null, frame + RECEIVER)) {
            clear(headerOf(frame), FLUENT);
        }
        judge(frame, value);
    }

    /** The header of the method of a frame, or of a call that is left out. */
    @ForceInline
    @Hidden
    private static long headerOf(long frame) {
        return (frame & LEFT_OUT_CALL) != 0 ? frame & ~LEFT_OUT_CALL : U.getLong(null, frame);
    }

    /** Kinds of result no longer hold. */
    @ForceInline
    @Hidden
    private static void clear(long header, int kinds) {
        long before = U.getLong(null, header + KINDS);
        if ((before & kinds) != 0) {
            U.putLong(null, header + KINDS, before & ~kinds);
        }
    }

    @ForceInline
    @Hidden
    private static void judge(long frame, long result) {
        if ((frame & LEFT_OUT_CALL) != 0) {
            long header = frame & ~LEFT_OUT_CALL;
            if (result != U.getLong(null, header + FIRST_RESULT)) {
                clear(header, ONE_VALUE);
            }
            return;
        }
        long header = U.getLong(null, frame);
        long input = U.getLong(null, frame + INPUT);
        if (input == 0) {
            // Likewise left out.
            if (result != U.getLong(null, header + FIRST_RESULT)) {
                clear(header, ONE_VALUE);
            }
            return;
        }
        long extent = U.getLong(null, frame + EXTENT);
        boolean wrote = U.getInt(null, frame + OLDEST) < U.getInt(null, frame + YOUNGEST);
        long place = find(header + INPUTS, input);
        boolean isNew = U.getLong(null, place) == 0;
        // Of how many inputs this one stands for the others, too.
        long bits = isNew ? U.getLong(null, header + LEVEL) << WEIGHT_SHIFT
                : U.getLong(null, place + HITS);
        long weight = bits >>> WEIGHT_SHIFT;
        long one = 1L << weight;
        if (U.getLong(null, header + FIRST_RETURNED) == 0) {
            U.putLong(null, header + FIRST_RETURNED, 1);
            U.putLong(null, header + FIRST_RESULT, result);
        } else if (result != U.getLong(null, header + FIRST_RESULT)) {
            clear(header, ONE_VALUE);
        }
        // What recursive calls have added is part of the extent.
        U.putLong(null, header + COST, U.getLong(null, frame + COST_BEFORE) + (extent << weight));
        long returned = U.getLong(null, header + RETURNED) + one;
        U.putLong(null, header + RETURNED, returned);
        if ((returned & ASKED_AFTER - 1) < one) {
            ask(header, returned);
        }
        if (wrote) {
            add(header + WROTE, one);
        }
        if (U.getLong(null, header + RECEIVERS) != 0) {
            long receiver = U.getLong(null, frame + RECEIVER);
            receive(header, receiver);
            giveTo(header, receiver, result);
        }
        boolean isLast = input == U.getLong(null, header + LAST_INPUT);
        U.putLong(null, header + LAST_INPUT, input);
        if (isNew) {
            U.putLong(null, place + RESULT, result);
            U.putLong(null, place + HITS, bits);
            U.putLong(null, place, input);
            fill(header, INPUTS);
            return;
        }
        if (U.getLong(null, place + RESULT) != result) {
            U.putLong(null, place + RESULT, result);
            add(header + CONFLICTS, one);
            if (U.getLong(null, header + RECEIVERS) == 0) {
                clear(header, PER_RECEIVER);
            }
            return;
        }
        U.putLong(null, place + HITS, bits + 1);
        add(header + ALL_HITS, one);
        if (isLast) {
            add(header + LAST_HITS, one);
        }
        long before = U.getLong(null, frame + SAVING_BEFORE);
        // Hits in recursive calls are part of this one.
        long more = extent - (U.getLong(null, header + SAVING) - before);
        add(place + ENTRY_SAVING, more);
        U.putLong(null, header + SAVING, before + extent);
        if (wrote) {
            add(header + HITS_THAT_WROTE, one);
        }
    }

    /**
     * Calls of a method that no cache would help are followed no longer: nothing is returned, results or
     * writes forbid it, hits are rare, or a call is cheap.
     */
    @DontInline
    @Hidden
    private static void ask(long header, long returned) {
        if (U.getLong(null, header + CONFLICTS) != 0 || U.getLong(null, header + HITS_THAT_WROTE) != 0
                || (U.getLong(null, header + KINDS) & VOID) != 0
                || U.getLong(null, header + COST) < CHEAP * returned
                || returned >= HITS_AFTER && U.getLong(null, header + ALL_HITS) * RARE < returned) {
            U.putByte(null, STOPPED + U.getLong(null, header + METHOD), (byte) 1);
        }
    }

    @ForceInline
    @Hidden
    private static void add(long address, long number) {
        U.putLong(null, address, U.getLong(null, address) + number);
    }

    /** A receiver is kept. */
    @DontInline
    @Hidden
    private static void receive(long header, long receiver) {
        if (receiver == U.getLong(null, header + LAST_RECEIVER)) {
            return;
        }
        U.putLong(null, header + LAST_RECEIVER, receiver);
        long hash = mix(0, receiver);
        if ((hash & U.getLong(null, header + RECEIVERS + LEFT_OUT)) != 0) {
            return;
        }
        long place = find(header + RECEIVERS, hash);
        if (U.getLong(null, place) == 0) {
            U.putLong(null, place, hash);
            fill(header, RECEIVERS);
        }
    }

    /** A receiver's first result is kept. */
    @ForceInline
    @Hidden
    private static void giveTo(long header, long receiver, long result) {
        if ((U.getLong(null, header + KINDS) & PER_RECEIVER) == 0) {
            return;
        }
        long place = find(header + RECEIVERS, mix(0, receiver));
        if (U.getLong(null, place) == 0) {
            return;
        }
        if (U.getLong(null, place + HITS) == 0) {
            U.putLong(null, place + HITS, 1);
            U.putLong(null, place + RESULT, result);
        } else if (U.getLong(null, place + RESULT) != result) {
            clear(header, PER_RECEIVER);
        }
    }

    /** The place of a hash in a table, or a free one for it. */
    @ForceInline
    @Hidden
    private static long find(long at, long hash) {
        long table = U.getLong(null, at);
        long shift = U.getLong(null, at + SHIFT);
        long mask = -1L >>> shift;
        long index = hash >>> shift;
        while (true) {
            long place = table + (index << LOG_OF_ENTRY);
            long found = U.getLong(null, place);
            if (found == hash || found == 0) {
                return place;
            }
            index = index + 1 & mask;
        }
    }

    /** A place is taken; when there is none left, the table changes. */
    @ForceInline
    @Hidden
    private static void fill(long header, int which) {
        long left = U.getLong(null, header + which + LEFT) - 1;
        U.putLong(null, header + which + LEFT, left);
        if (left < 0) {
            makeRoom(SubsumeRuntime.tree(Thread.currentThread()), (int) U.getLong(null, header + METHOD),
                    which == RECEIVERS);
        }
    }

    // Writes.

    /** A field, or an element, of an object is about to be written. */
    @ForceInline
    @Hidden
    public static void wrote(Object owner) {
        long block = Thread.currentThread().$subsume$results;
        if (block != 0 && U.getInt(null, U.getLong(null, block) - FRAME + OLDEST) != 0) {
            wrote(block, owner);
        }
    }

    @DontInline
    @Hidden
    private static void wrote(long block, Object owner) {
        if (owner != null) {
            long frame = U.getLong(null, block) - FRAME;
            int number = SubsumeIdentities.of(block + NEXT_IDENTITY, owner);
            if (number < U.getInt(null, frame + OLDEST)) {
                U.putInt(null, frame + OLDEST, number);
            }
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
        return SubsumeIdentities.isReady() && STRING_BYTES > 0 && FIRST_BYTE > 0 && STOPPED != 0
                && SubsumeStructures.isReady();
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    /** Where the elements of an array of bytes begin. */
    private static native long firstByte();

    /** Address of a byte for each method, 0 at first. */
    private static native long stopped();

    /** The block of the thread of this tree; 0 while recording is off. */
    private static native long attach(int tree);

    /** The header of a method; 0 if it is not followed. */
    private static native long header(int tree, int method);

    /** Makes room in the table of a method's receivers, or of its inputs. */
    private static native void makeRoom(int tree, int method, boolean receivers);
}
