package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What each thread keeps of each method, outside the Java heap: a header with sums, a table of the inputs
 * that the method has had and of what it returned, and one of its receivers. crates/online/src/results/tables.rs
 * says what they look like.
 */
final class SubsumeResultTables {
    static {
        bindNatives();
    }

    private static final Unsafe U = Unsafe.getUnsafe();

    // In a thread's block: addresses of pages, each with the addresses of headers.
    private static final int PAGES = 40;
    private static final int PAGE_BITS = 8;
    private static final int MOST_PAGES = 1 << 10;

    // Byte offsets in the header of a method.
    private static final int METHOD = 0;
    static final int RETURNED = 8;
    static final int UNFOLLOWED = 16;
    static final int COST = 24;
    static final int SAVING = 32;
    static final int LAST_HITS = 40;
    static final int CONFLICTS = 48;
    static final int WROTE = 56;
    static final int HITS_THAT_WROTE = 64;
    static final int KINDS = 72;
    static final int FIRST_RESULT = 80;
    static final int LAST_INPUT = 88;
    private static final int LAST_RECEIVER = 96;
    static final int INPUTS = 104;
    static final int RECEIVERS = 136;
    static final int LEVEL = 168;
    static final int ALL_HITS = 176;
    private static final int FREQUENT = 184;

    // Byte offsets from the address of a table there.
    private static final int SHIFT = 8;
    private static final int LEFT_OUT = 16;
    private static final int LEFT = 24;

    // Byte offsets in an input or receiver; its hash is at offset 0.
    static final int RESULT = 8;
    static final int HITS = 16;
    static final int ENTRY_SAVING = 24;

    /** Above its hits is the binary logarithm of the number of inputs that it stands for. */
    static final int WEIGHT_SHIFT = 58;

    /** Binary logarithm of the bytes of one. */
    private static final int LOG_OF_ENTRY = 5;

    // Kinds of result.
    static final int FLUENT = 1;
    static final int NULL = 2;
    static final int ONE_VALUE = 4;
    static final int PER_RECEIVER = 8;
    static final int NAN = 16;
    private static final int VOID = 32;

    /** After so many calls, and again and again, it is asked whether a cache could be of use. */
    static final int ASKED_AFTER = 1 << 14;

    /** After so many of them, whether there are hits enough. */
    private static final int HITS_AFTER = 1 << 16;

    /** One call of so many must be a hit then. */
    private static final int RARE = 4;

    /** Calls that execute fewer bytecodes in the mean need no cache: looking something up takes more. */
    private static final int CHEAP = 32;

    /** The largest number of calls of a method that are followed, rounded up. */
    private static final long MOST_CALLS = mostCalls();

    /** Address of a byte for each method: not 0 if its calls are followed no longer. */
    static final long STOPPED = stopped();

    private SubsumeResultTables() {
    }

    /** The header of a method in the block of a thread; 0 if it is not followed. */
    @ForceInline
    @Hidden
    static long header(long block, Thread thread, int method) {
        long page = U.getLong(null, block + PAGES + ((method >>> PAGE_BITS & MOST_PAGES - 1) << 3));
        long header = U.getLong(null, page + ((method & (1 << PAGE_BITS) - 1) << 3));
        return header != 0 ? header : header(SubsumeRuntime.tree(thread), method);
    }

    /** A thread gets a block; 0 if nothing is recorded of it. */
    @DontInline
    @Hidden
    static long attach(Thread thread) {
        return thread.$subsume$results = attach(SubsumeRuntime.tree(thread));
    }

    /** Kinds of result no longer hold. */
    @ForceInline
    @Hidden
    static void clear(long header, int kinds) {
        long before = U.getLong(null, header + KINDS);
        if ((before & kinds) != 0) {
            U.putLong(null, header + KINDS, before & ~kinds);
        }
    }

    /** A result is compared with the first one. */
    @ForceInline
    @Hidden
    static void compare(long header, long result) {
        if (result != U.getLong(null, header + FIRST_RESULT)) {
            clear(header, ONE_VALUE);
        }
    }

    /**
     * Calls of a method that no cache would help are followed no longer: nothing is returned, results or
     * writes forbid it, hits are rare, or a call is cheap.
     */
    @DontInline
    @Hidden
    static void ask(long header, long returned) {
        if (U.getLong(null, header + CONFLICTS) != 0 || U.getLong(null, header + HITS_THAT_WROTE) != 0
                || (U.getLong(null, header + KINDS) & VOID) != 0
                || U.getLong(null, header + COST) < CHEAP * returned || returned >= MOST_CALLS
                || returned >= HITS_AFTER && U.getLong(null, header + ALL_HITS) * RARE < returned) {
            U.putByte(null, STOPPED + U.getLong(null, header + METHOD), (byte) 1);
        }
    }

    @ForceInline
    @Hidden
    static void add(long address, long number) {
        U.putLong(null, address, U.getLong(null, address) + number);
    }

    /** A receiver is kept. */
    @DontInline
    @Hidden
    static void receive(long header, long receiver) {
        if (receiver == U.getLong(null, header + LAST_RECEIVER)) {
            return;
        }
        U.putLong(null, header + LAST_RECEIVER, receiver);
        long hash = SubsumeInputs.mix(0, receiver);
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
    static void giveTo(long header, long receiver, long result) {
        if ((U.getLong(null, header + KINDS) & PER_RECEIVER) == 0) {
            return;
        }
        long place = find(header + RECEIVERS, SubsumeInputs.mix(0, receiver));
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

    /** Whether an input is not kept: neither is it one of those that stay, nor one that comes in. */
    @ForceInline
    @Hidden
    static boolean isLeftOut(long header, long hash) {
        return (hash & U.getLong(null, header + INPUTS + LEFT_OUT)) != 0
                && ((U.getLong(null, header + FREQUENT + (hash >>> 60 << 3)) >>> (hash >>> 54) & 1) == 0
                        || U.getLong(null, find(header + INPUTS, hash)) == 0);
    }

    /** The place of a hash in a table, or a free one for it. */
    @ForceInline
    @Hidden
    static long find(long at, long hash) {
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
    static void fill(long header, int which) {
        long left = U.getLong(null, header + which + LEFT) - 1;
        U.putLong(null, header + which + LEFT, left);
        if (left < 0) {
            makeRoom(SubsumeRuntime.tree(Thread.currentThread()), (int) U.getLong(null, header + METHOD),
                    which == RECEIVERS);
        }
    }

    /** Initialises the class; true if there is room for tables. */
    static boolean isReady() {
        return STOPPED != 0;
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    /** How many calls of a method are followed at most. */
    private static native long mostCalls();

    /** Address of a byte for each method, 0 at first. */
    private static native long stopped();

    /** The block of the thread of this tree; 0 while recording is off. */
    private static native long attach(int tree);

    /** The header of a method; 0 if it is not followed. */
    private static native long header(int tree, int method);

    /** Makes room in the table of a method's receivers, or of its inputs. */
    private static native void makeRoom(int tree, int method, boolean receivers);
}
