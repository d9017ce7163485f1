package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What code calls that is instrumented for data flow: shadows of values, the tracking stack, and
 * the dependence edges.
 *
 * <p>A <em>shadow</em> says where a value comes from. It is 0 if nothing is known, else the tag of an
 * object in the upper half, and in the lower half the number of the field that the value was loaded
 * from, 0 for an element of an array, or {@link #PRODUCER} for a reference to the object itself. A
 * static field has the tag 0.
 *
 * <p>As in {@link SubsumeRuntime}, nothing here allocates an object or takes a monitor, and probes
 * repeat code instead of calling each other.
 */
public final class SubsumeFlow {
    static {
        bindNatives();
    }

    /** Address of word 0 of the profile's file. */
    private static final long BASE = base();

    /** A byte for each tag: whether an element of its arrays was consumed. */
    private static final long ELEMENTS = elements();

    /** Shadows that are known to be consumed, each at the place of its hash. */
    private static final long CONSUMED = consumedCache();

    /** Counters of lost origins. */
    private static final long LOST = lost();

    private static final Unsafe U = Unsafe.getUnsafe();

    /** In the lower half of a shadow: the value is a reference to an object with the tag. */
    private static final long PRODUCER = 0x8000_0000L;

    /** Bits of a hash of {@link #CONSUMED}. */
    private static final int CONSUMED_BITS = 16;

    /** Expected callee: whoever is called next gets no shadows because all are 0. */
    private static final int NOTHING = 1;

    // Byte offsets in an entry of the table of edges; profile/src/layout.rs says what they hold.
    private static final int TO = 8;
    private static final int COUNT = 16;
    private static final int NEXT = 24;

    /** In front of the heads of the table of edges: their number less one. */
    private static final int MASK = -8;

    /** A loop flushes its copies when there are so many. */
    private static final int FLUSH = 1 << 16;

    /** Binary logarithm of the bytes of a reference in the heap. */
    private static final int LOG_OF_REFERENCE_SIZE = Unsafe.ARRAY_OBJECT_INDEX_SCALE == 4 ? 2 : 3;

    /** Fields by class and offset: a table that is filled and never changed. */
    private static final Class<?>[] FIELD_CLASSES = new Class<?>[1 << 10];

    /** Offset in the upper half, number of the field in the lower. */
    private static final long[] FIELDS = new long[FIELD_CLASSES.length];

    /** Offset of the field that holds a class's loader; its getter has probes. */
    private static final long LOADER = U.objectFieldOffset(Class.class, "classLoader");

    /** A word for each: whether it is taken. They lie behind {@link #CONSUMED}. */
    private static final long FIELD_LOCKS = CONSUMED + (8L << CONSUMED_BITS);

    /** The upper bit of each of the four packed kinds. */
    private static final long LARGE_KINDS = 0x8000_8000_8000_8000L;

    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private SubsumeFlow() {
    }

    // Shadows.

    /** Of a value loaded from a field of an object with this tag. */
    @ForceInline
    @Hidden
    public static long field(int tag, int field) {
        return (long) tag << 32 | field;
    }

    /** Of a value loaded from a field of this object. */
    @ForceInline
    @Hidden
    public static long fieldOf(Object owner, int field) {
        return (long) SubsumeTags.tag(owner) << 32 | field;
    }

    /** Of a value loaded from an array with this tag. */
    @ForceInline
    @Hidden
    public static long element(int tag) {
        return (long) tag << 32;
    }

    /** Of a value loaded from this array. */
    @ForceInline
    @Hidden
    public static long elementOf(Object array) {
        return (long) SubsumeTags.tag(array) << 32;
    }

    /** Of a reference to a new object. */
    @ForceInline
    @Hidden
    public static long producer(Object made) {
        int tag = SubsumeTags.tag(made);
        return tag == 0 ? 0 : (long) tag << 32 | PRODUCER;
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
        return (int) shadow >= 0 ? 1 : 0;
    }

    /** Likewise, in this object. */
    @ForceInline
    @Hidden
    public static int storeIn(long shadow, Object owner, int store) {
        if (shadow == 0) {
            return 0;
        }
        long to = (long) SubsumeTags.tag(owner) << 32 | store;
        long entry = entry(shadow, to);
        U.putLong(null, entry + COUNT, U.getLong(null, entry + COUNT) + 1);
        return (int) shadow >= 0 ? 1 : 0;
    }

    /**
     * So many elements were copied from one array to another. Returns how many. The store has four
     * numbers, for values of 1, 2, 4 and 8 bytes.
     */
    @Hidden
    public static int copied(Object from, Object to, int length, int store) {
        int tag = SubsumeTags.tag(from);
        if (length <= 0 || tag == 0) {
            return 0;
        }
        long target = (long) SubsumeTags.tag(to) << 32 | store + logOfElementSize(to);
        long entry = entry((long) tag << 32, target);
        U.putLong(null, entry + COUNT, U.getLong(null, entry + COUNT) + length);
        return length;
    }

    /** An object was cloned: all elements, or all fields, were copied. Returns how many. */
    @Hidden
    public static int cloned(Object from, Object to, int store) {
        if (to.getClass().isArray()) {
            return copied(from, to, java.lang.reflect.Array.getLength(to), store);
        }
        int tag = SubsumeTags.tag(from);
        int tree = SubsumeRuntime.tree(Thread.currentThread());
        int copied = copyFields(tree, to.getClass(), tag, SubsumeTags.tag(to), store);
        Thread thread = Thread.currentThread();
        thread.$subsume$edges = heads(tree);
        return copied;
    }

    /** Shadow of what is loaded from this offset of an object. */
    @Hidden
    public static long locationAt(Object owner, long offset) {
        if (owner == null) {
            return 0;
        }
        long tag = (long) SubsumeTags.tag(owner) << 32;
        Class<?> type = owner.getClass();
        if (type.isArray()) {
            return tag;
        }
        int field = fieldAt(type, offset);
        return field == 0 ? 0 : tag | field;
    }

    /** A value is stored at this offset of an object. Returns 1 if that is a copy. */
    @Hidden
    public static int storeAt(long shadow, Object owner, long offset, int store) {
        if (shadow == 0 || owner == null) {
            return 0;
        }
        if (!owner.getClass().isArray()) {
            int field = fieldAt(owner.getClass(), offset);
            store = field == 0 ? 0 : storeOf(store, field);
            if (store == 0) {
                return 0;
            }
        }
        long entry = entry(shadow, (long) SubsumeTags.tag(owner) << 32 | store);
        U.putLong(null, entry + COUNT, U.getLong(null, entry + COUNT) + 1);
        return (int) shadow >= 0 ? 1 : 0;
    }

    /** Likewise, if the store took place. */
    @Hidden
    public static int storeAtIf(
            int stored, long shadow, Object owner, long offset, int store) {
        return stored == 0 ? 0 : storeAt(shadow, owner, offset, store);
    }

    /** Number of the field at this offset of objects of a class, 0 if there is none. */
    @Hidden
    private static int fieldAt(Class<?> type, long offset) {
        // The boot loader's classes stay for ever, so they may stand in a table that does.
        if (U.getReference(type, LOADER) != null) {
            return findField(type, offset);
        }
        int start = type.hashCode() * 31 + (int) offset;
        for (int probe = 0; probe < 4; probe++) {
            int index = start + probe & FIELD_CLASSES.length - 1;
            Class<?> known = FIELD_CLASSES[index];
            U.loadFence();
            if (known == type && FIELDS[index] >>> 32 == offset) {
                return (int) FIELDS[index];
            }
            if (known == null) {
                int field = findField(type, offset);
                putField(index, type, offset << 32 | field);
                return field;
            }
        }
        return findField(type, offset);
    }

    /** Fills a place in the table of fields, once and for all. */
    @Hidden
    private static void putField(int index, Class<?> type, long field) {
        // Whoever gets the word from 0 to 1 has the place.
        if (U.compareAndSetInt(null, FIELD_LOCKS + 4L * index, 0, 1)) {
            FIELDS[index] = field;
            U.storeFence();
            FIELD_CLASSES[index] = type;
        }
    }

    @Hidden
    private static int logOfElementSize(Object array) {
        if (array instanceof Object[]) {
            return LOG_OF_REFERENCE_SIZE;
        }
        if (array instanceof byte[] || array instanceof boolean[]) {
            return 0;
        }
        if (array instanceof char[] || array instanceof short[]) {
            return 1;
        }
        return array instanceof int[] || array instanceof float[] ? 2 : 3;
    }

    /** An operand of a computation, a test or a call of native code. */
    @ForceInline
    @Hidden
    public static void consumed(long shadow) {
        if ((int) shadow == 0) {
            // The byte of tag 0 is written for values of which nothing is known, and never read.
            U.putByte(null, ELEMENTS + (shadow >>> 32), (byte) 1);
            return;
        }
        long place = CONSUMED + (shadow * MIX >>> 64 - CONSUMED_BITS << 3);
        if (U.getLong(null, place) != shadow) {
            consume(shadow, place);
        }
    }

    /** Likewise, an element of an array with this tag. */
    @ForceInline
    @Hidden
    public static void consumedElement(int tag) {
        U.putByte(null, ELEMENTS + tag, (byte) 1);
    }

    /** Likewise, an element of this array. */
    @ForceInline
    @Hidden
    public static void consumedElementOf(Object array) {
        U.putByte(null, ELEMENTS + SubsumeTags.tag(array), (byte) 1);
    }

    @DontInline
    @Hidden
    private static void consume(long shadow, long place) {
        if (keepConsumed(shadow)) {
            U.putLong(null, place, shadow);
        }
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
        thread.$subsume$edges = heads(tree);
        return BASE + ((made & 0xFFFF_FFFFL) << 2);
    }

    // The tracking stack. A caller leaves the shadows of the arguments and what it expects to be
    // called; a callee that is not it has been called by other code and knows nothing.

    /** Nothing is known of the arguments of the next call, or there are none. */
    @ForceInline
    @Hidden
    public static void noArguments() {
        Thread.currentThread().$subsume$callee = NOTHING;
    }

    /** The shadow of the only argument of the next call. */
    @ForceInline
    @Hidden
    public static void arguments(long s0, int callee) {
        Thread thread = Thread.currentThread();
        thread.$subsume$a0 = s0;
        thread.$subsume$callee = callee;
    }

    /** The shadows of its arguments. */
    @ForceInline
    @Hidden
    public static void arguments(long s0, long s1, int callee) {
        Thread thread = Thread.currentThread();
        thread.$subsume$a0 = s0;
        thread.$subsume$a1 = s1;
        thread.$subsume$callee = callee;
    }

    /** Likewise. */
    @ForceInline
    @Hidden
    public static void arguments(long s0, long s1, long s2, int callee) {
        Thread thread = Thread.currentThread();
        thread.$subsume$a0 = s0;
        thread.$subsume$a1 = s1;
        thread.$subsume$a2 = s2;
        thread.$subsume$callee = callee;
    }

    /** Likewise. */
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

    /**
     * Entry of a method: whether the shadows on the tracking stack are those of its arguments.
     * Whatever is called from here on finds others.
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
        if (expected != NOTHING) {
            loseArguments();
        }
        return 0;
    }

    /** Shadow of a parameter; known is what {@link #entered} returned. */
    @ForceInline
    @Hidden
    public static long parameter0(int known) {
        return Thread.currentThread().$subsume$a0 & known;
    }

    /** Likewise. */
    @ForceInline
    @Hidden
    public static long parameter1(int known) {
        return Thread.currentThread().$subsume$a1 & known;
    }

    /** Likewise. */
    @ForceInline
    @Hidden
    public static long parameter2(int known) {
        return Thread.currentThread().$subsume$a2 & known;
    }

    /** Likewise. */
    @ForceInline
    @Hidden
    public static long parameter3(int known) {
        return Thread.currentThread().$subsume$a3 & known;
    }

    /** Likewise. */
    @ForceInline
    @Hidden
    public static long parameter4(int known) {
        return Thread.currentThread().$subsume$a4 & known;
    }

    /** Likewise. */
    @ForceInline
    @Hidden
    public static long parameter5(int known) {
        return Thread.currentThread().$subsume$a5 & known;
    }

    /** Likewise. */
    @ForceInline
    @Hidden
    public static long parameter6(int known) {
        return Thread.currentThread().$subsume$a6 & known;
    }

    /** Likewise. */
    @ForceInline
    @Hidden
    public static long parameter7(int known) {
        return Thread.currentThread().$subsume$a7 & known;
    }

    /**
     * Entry of a method that the JVM may call in the middle of a call: what the tracking stack is
     * meant for; 0 if it is this method.
     */
    @ForceInline
    @Hidden
    public static int interrupted(int callee) {
        int expected = Thread.currentThread().$subsume$callee;
        return expected == callee ? 0 : expected;
    }

    /** Exit of such a method: puts the tracking stack back. */
    @Hidden
    public static void resume(
            long s0, long s1, long s2, long s3, long s4, long s5, long s6, long s7, int callee) {
        if (callee != 0) {
            Thread thread = Thread.currentThread();
            thread.$subsume$a0 = s0;
            thread.$subsume$a1 = s1;
            thread.$subsume$a2 = s2;
            thread.$subsume$a3 = s3;
            thread.$subsume$a4 = s4;
            thread.$subsume$a5 = s5;
            thread.$subsume$a6 = s6;
            thread.$subsume$a7 = s7;
            thread.$subsume$callee = callee;
        }
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

    @DontInline
    @Hidden
    private static void loseArguments() {
        U.getAndAddLong(null, LOST, 1);
    }

    // Counters.

    /**
     * Exit of a method: adds to the node's counters of kinds. The node has a packed sum, too, behind
     * them; they get what is in it when it becomes large.
     */
    @ForceInline
    @Hidden
    public static void kinds(long node, int offset, long kinds) {
        long at = node + offset + 32;
        long sum = U.getLong(null, at) + kinds;
        if ((sum & LARGE_KINDS) != 0) {
            sum = unpack(node + offset, sum);
        }
        U.putLong(null, at, sum);
    }

    /** Adds packed kinds to the four counters. Returns 0. */
    @DontInline
    @Hidden
    private static long unpack(long at, long kinds) {
        U.putLong(null, at, U.getLong(null, at) + (kinds & 0xFFFF));
        U.putLong(null, at + 8, U.getLong(null, at + 8) + (kinds >>> 16 & 0xFFFF));
        U.putLong(null, at + 16, U.getLong(null, at + 16) + (kinds >>> 32 & 0xFFFF));
        U.putLong(null, at + 24, U.getLong(null, at + 24) + (kinds >>> 48));
        return 0;
    }

    /** An exception left a part of a block unexecuted: its packed kinds. */
    @DontInline
    @Hidden
    public static void takeKindsOff(long node, int offset, long kinds) {
        long at = node + offset;
        U.putLong(null, at, U.getLong(null, at) - (kinds & 0xFFFF));
        U.putLong(null, at + 8, U.getLong(null, at + 8) - (kinds >>> 16 & 0xFFFF));
        U.putLong(null, at + 16, U.getLong(null, at + 16) - (kinds >>> 32 & 0xFFFF));
        U.putLong(null, at + 24, U.getLong(null, at + 24) - (kinds >>> 48));
    }

    /** Start of a loop's body: the packed kinds, flushed before one of them overflows. */
    @ForceInline
    @Hidden
    public static long pollKinds(long node, int offset, long kinds) {
        return (kinds & LARGE_KINDS) == 0 ? kinds : unpack(node + offset, kinds);
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

    private static native long elements();

    private static native long consumedCache();

    private static native long lost();

    /** Address of the heads of a tree's table of edges. */
    private static native long heads(int tree);

    /** A new entry in it, at the head of its list; heads may have moved. */
    private static native int create(int tree, long from, long to);

    /** Number of the field at this offset of objects of a class, 0 if there is none. */
    private static native int findField(Class<?> type, long offset);

    /** Number of a store of a field by an instruction that has that number for others. */
    private static native int storeOf(int store, int field);

    /** All fields of an object are copied to another. Returns how many. */
    private static native int copyFields(int tree, Class<?> type, int from, int to, int store);

    /** Writes a consumed shadow down; false if it cannot be kept. */
    private static native boolean keepConsumed(long shadow);
}
