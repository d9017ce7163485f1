package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What code calls that is instrumented for data flow: shadows of values, dependence edges, and
 * counters. See {@link SubsumeStack} for calls, and {@link SubsumeIntrinsics} for what no bytecode does.
 *
 * <p>A <em>shadow</em> says where a value comes from. It is 0 if nothing is known, else made of the tag
 * of an object and of the number of the field that the value was loaded from, 0 for an element of an
 * array, or {@link #PRODUCER} for a reference to the object itself. A static field has the tag 0.
 *
 * <p>That a value was consumed is a byte in memory beside the file, one for each shadow, which says
 * where: bytes of {@link #FIELD_GROUP} fields and one tag lie beside each other. Had it to be
 * told to somebody when it happens first, there would be a call, behind which the compilers know
 * nothing of the heap any more. A thread of the agent's looks at the bytes.
 *
 * <p>As in {@link SubsumeRuntime}, nothing here allocates an object or takes a monitor, and probes
 * repeat code instead of calling each other.
 */
public final class SubsumeDataflow {
    static {
        bindNatives();
    }

    /** Address of word 0 of the profile's file. */
    private static final long BASE = base();

    /** A byte for each shadow of a field below {@link #FIELDS}: not 0 if it was consumed. */
    static final long CONSUMED = consumedTable();

    /** The fields that have such bytes have numbers below this. */
    private static final long FIELDS = consumedFields();

    /** Counters of lost origins. */
    private static final long LOST = lost();

    /** A byte for each class that code asks for: 1 if its fields have last writers for sure. */
    static final long HAVING = having();

    static final Unsafe U = Unsafe.getUnsafe();

    /** In place of a field's number: the value is a reference to an object with the tag. */
    static final int PRODUCER = 1;

    // A shadow: a field's number within its group, the tag, the number of the group.

    private static final int FIELD_GROUP = 8;
    private static final int TAG_SHIFT = 3;
    private static final int GROUP_SHIFT = 20;
    private static final long TAG_MASK = (1L << GROUP_SHIFT) - (1L << TAG_SHIFT);

    /** The shadows that have bytes are below this. */
    static final long SHADOWS = FIELDS << GROUP_SHIFT - TAG_SHIFT;

    // Byte offsets in an entry of the table of edges; crates/profile/src/layout.rs says what they hold.
    private static final int TO = 8;
    private static final int COUNT = 16;
    private static final int NEXT = 24;

    // Byte offsets among the counters of lost origins, and among those of kinds, of which the first
    // one counts loads.
    private static final int UNTRACKED_ARGUMENTS = 8;
    private static final int STORES = 8;
    private static final int ALU = 16;
    private static final int COMPARISONS = 24;

    /** In front of the heads of the table of edges: their number less one. */
    private static final int MASK = -8;

    /** A loop flushes its copies when there are so many. */
    private static final int FLUSH = 1 << 16;

    /** A bit for each of the four kinds. */
    private static final int ALL_KINDS = 15;

    /** The upper bit of each of the four packed kinds. */
    private static final long LARGE_KINDS = 0x8000_8000_8000_8000L;

    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private SubsumeDataflow() {
    }

    // Shadows.

    /** Of a value loaded from a field of an object with this tag. */
    @ForceInline
    @Hidden
    public static long field(int tag, int field) {
        // Added, which the compilers do beforehand to what does not change.
        return ((long) tag << TAG_SHIFT)
                + ((long) (field & -FIELD_GROUP) << GROUP_SHIFT - TAG_SHIFT)
                + (field & FIELD_GROUP - 1);
    }

    /** Of a value loaded from a field of this object. */
    @ForceInline
    @Hidden
    public static long fieldOf(Object owner, int field) {
        return field(SubsumeTags.tag(owner), field);
    }

    /** Of a value loaded from an array with this tag. */
    @ForceInline
    @Hidden
    public static long element(int tag) {
        return (long) tag << TAG_SHIFT;
    }

    /** Of a value loaded from this array. */
    @ForceInline
    @Hidden
    public static long elementOf(Object array) {
        return (long) SubsumeTags.tag(array) << TAG_SHIFT;
    }

    /** Of a reference to a new object. */
    @ForceInline
    @Hidden
    public static long producer(Object made) {
        int tag = SubsumeTags.tag(made);
        return tag == 0 ? 0 : (long) tag << TAG_SHIFT | PRODUCER;
    }

    /** Whether this is the shadow of a reference to a new object. */
    @ForceInline
    @Hidden
    static boolean isProducer(long shadow) {
        return (shadow & ~TAG_MASK) == PRODUCER;
    }

    // Dependence edges.

    /**
     * A value is stored in an object with this tag. Returns 1 if the value was loaded from the heap,
     * so that this is a copy.
     */
    @ForceInline
    @Hidden
    public static int store(long shadow, int tag, int store) {
        if (shadow == 0) {
            return 0;
        }
        long to = (long) tag << 32 | store;
        long entry = entry(shadow, to);
        U.putLong(null, entry + COUNT, U.getLong(null, entry + COUNT) + 1);
        return isProducer(shadow) ? 0 : 1;
    }

    /** A value is stored in this object. Returns 1 if the value was loaded from the heap. */
    @ForceInline
    @Hidden
    public static int storeIn(long shadow, Object owner, int store) {
        if (shadow == 0) {
            return 0;
        }
        long to = (long) SubsumeTags.tag(owner) << 32 | store;
        long entry = entry(shadow, to);
        U.putLong(null, entry + COUNT, U.getLong(null, entry + COUNT) + 1);
        return isProducer(shadow) ? 0 : 1;
    }

    /** Whether fields that are named by the class with this number may have no last writers. */
    @ForceInline
    @Hidden
    public static boolean lacks(int number) {
        return U.getByte(null, HAVING + number) == 0;
    }

    /** An operand of a computation, a test or a call of native code. */
    @ForceInline
    @Hidden
    public static void consumed(long shadow) {
        if (shadow >= SHADOWS) {
            // So far out that compiled code leaves it out.
            keepConsumed(shadow);
        } else if (U.getByte(null, CONSUMED + shadow) == 0) {
            U.putByte(null, CONSUMED + shadow, (byte) 1);
        }
    }

    /** A field of an object with this tag is such an operand. */
    @ForceInline
    @Hidden
    public static void consumedField(int tag, int field) {
        note(tag, field);
    }

    /** A field of this object is such an operand. */
    @ForceInline
    @Hidden
    public static void consumedFieldOf(Object owner, int field) {
        note(SubsumeTags.tag(owner), field);
    }

    /** An element of an array with this tag is such an operand. */
    @ForceInline
    @Hidden
    public static void consumedElement(int tag) {
        note(tag, 0);
    }

    /** An element of this array is such an operand. */
    @ForceInline
    @Hidden
    public static void consumedElementOf(Object array) {
        note(SubsumeTags.tag(array), 0);
    }

    /**
     * Notes a shadow whose field the compilers know. The byte is written once only, so that threads do
     * not take its line of the caches from each other. The one of shadow 0, of which nothing is known,
     * is never read.
     */
    @ForceInline
    @Hidden
    static void note(int tag, int field) {
        long shadow = field(tag, field);
        if (field >= FIELDS) {
            keepConsumed(shadow);
        } else if (U.getByte(null, CONSUMED + shadow) == 0) {
            U.putByte(null, CONSUMED + shadow, (byte) 1);
        }
    }

    /** An edge counts for so many more. */
    @ForceInline
    @Hidden
    static void count(long from, long to, long amount) {
        long entry = entry(from, to);
        U.putLong(null, entry + COUNT, U.getLong(null, entry + COUNT) + amount);
    }

    /** The entry of an edge. */
    @ForceInline
    @Hidden
    static long entry(long from, long to) {
        long heads = Thread.currentThread().$subsume$edges;
        if (heads != 0) {
            long hash = (from + to * MIX) * MIX >>> 32;
            int head = U.getInt(null, heads + ((hash & U.getInt(null, heads + MASK)) << 2));
            long entry = BASE + ((head & 0xFFFF_FFFFL) << 2);
            if (U.getLong(null, entry) == from && U.getLong(null, entry + TO) == to) {
                return entry;
            }
        }
        return find(from, to);
    }

    /**
     * The entry of an edge that is not the first of its list: it is moved there, or made. Only its
     * own thread looks at a list.
     */
    @DontInline
    @Hidden
    private static long find(long from, long to) {
        Thread thread = Thread.currentThread();
        long heads = thread.$subsume$edges;
        if (heads == 0) {
            heads = heads(SubsumeRuntime.tree(thread));
            thread.$subsume$edges = heads;
        }
        long hash = (from + to * MIX) * MIX >>> 32;
        long head = heads + ((hash & U.getInt(null, heads + MASK)) << 2);
        int first = U.getInt(null, head);
        long before = 0;
        int index = first;
        while (index != 0) {
            long entry = BASE + ((index & 0xFFFF_FFFFL) << 2);
            int next = U.getInt(null, entry + NEXT);
            if (U.getLong(null, entry) == from && U.getLong(null, entry + TO) == to) {
                if (before != 0) {
                    U.putInt(null, before + NEXT, next);
                    U.putInt(null, entry + NEXT, first);
                    U.putInt(null, head, index);
                }
                return entry;
            }
            before = entry;
            index = next;
        }
        int tree = SubsumeRuntime.tree(thread);
        int made = create(tree, from, to);
        // Heads may have moved when an edge was added.
        thread.$subsume$edges = heads(tree);
        return BASE + ((made & 0xFFFF_FFFFL) << 2);
    }

    /**
     * Somebody entered a method with shadows on the tracking stack that are not for it. Without a
     * call, as {@link #kinds}.
     */
    @ForceInline
    @Hidden
    static void loseArguments() {
        U.getAndAddLong(null, LOST, 1);
    }

    /** Somebody passed an argument for whose shadow the tracking stack has no room. */
    @DontInline
    @Hidden
    static void loseArgument() {
        U.getAndAddLong(null, LOST + UNTRACKED_ARGUMENTS, 1);
    }

    // Counters.

    /**
     * Exit of a method: adds packed kinds to the node's counters of those that it counts, which is
     * known when it is compiled. A packed sum in the node would be one addition, but behind the call
     * that a large one takes the compilers know nothing of the heap any more.
     */
    @ForceInline
    @Hidden
    public static void kinds(long node, int offset, long kinds, int counted) {
        long at = node + offset;
        if ((counted & 1) != 0) {
            U.putLong(null, at, U.getLong(null, at) + (kinds & 0xFFFF));
        }
        if ((counted & 2) != 0) {
            U.putLong(null, at + STORES, U.getLong(null, at + STORES) + (kinds >>> 16 & 0xFFFF));
        }
        if ((counted & 4) != 0) {
            U.putLong(null, at + ALU, U.getLong(null, at + ALU) + (kinds >>> 32 & 0xFFFF));
        }
        if ((counted & 8) != 0) {
            U.putLong(null, at + COMPARISONS, U.getLong(null, at + COMPARISONS) + (kinds >>> 48));
        }
    }

    /**
     * Adds packed kinds to the four counters. Returns 0. The offset is added here, so that callers
     * need no register for the sum.
     */
    @DontInline
    @Hidden
    static long unpack(long node, int offset, long kinds) {
        kinds(node, offset, kinds, ALL_KINDS);
        return 0;
    }

    /** An exception left a part of a block unexecuted: its packed kinds. */
    @DontInline
    @Hidden
    public static void takeKindsOff(long node, int offset, long kinds) {
        long at = node + offset;
        U.putLong(null, at, U.getLong(null, at) - (kinds & 0xFFFF));
        U.putLong(null, at + STORES, U.getLong(null, at + STORES) - (kinds >>> 16 & 0xFFFF));
        U.putLong(null, at + ALU, U.getLong(null, at + ALU) - (kinds >>> 32 & 0xFFFF));
        U.putLong(null, at + COMPARISONS, U.getLong(null, at + COMPARISONS) - (kinds >>> 48));
    }

    /** Start of a loop's body: the packed kinds, flushed before one of them overflows. */
    @ForceInline
    @Hidden
    public static long pollKinds(long node, int offset, long kinds) {
        return (kinds & LARGE_KINDS) == 0 ? kinds : unpack(node, offset, kinds);
    }

    /** Start of a loop's body: the number of copies, added to the node's when it has become large. */
    @ForceInline
    @Hidden
    public static int pollCopies(long node, int offset, int copies) {
        if (copies < FLUSH) {
            return copies;
        }
        U.putLong(null, node + offset, U.getLong(null, node + offset) + copies);
        return 0;
    }

    /** Adds to a counter of the node. */
    @ForceInline
    @Hidden
    public static void add(long node, int offset, int amount) {
        U.putLong(null, node + offset, U.getLong(null, node + offset) + amount);
    }

    /** Initialises the class; true if there is memory for what it counts. */
    static boolean canFollow() {
        return BASE != 0;
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    private static native long base();

    private static native long consumedTable();

    private static native long consumedFields();

    private static native long lost();

    private static native long having();

    /** Address of the heads of a tree's table of edges. */
    private static native long heads(int tree);

    /** A new entry in it, at the head of its list; heads may have moved. */
    private static native int create(int tree, long from, long to);

    /** Writes a consumed shadow down. */
    static native void keepConsumed(long shadow);
}
