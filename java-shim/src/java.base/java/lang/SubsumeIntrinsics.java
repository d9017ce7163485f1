package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * Models of intrinsics for shadows: what {@code System.arraycopy}, {@code clone} and accesses by
 * {@link Unsafe} do with shadows, since no bytecode loads or stores the values that they move. Of an
 * access by {@link Unsafe} only the object and the offset are known.
 */
public final class SubsumeIntrinsics {
    static {
        bindNatives();
    }

    private static final Unsafe U = Unsafe.getUnsafe();

    private static final int MOST_FIELDS = 1 << 10;

    /** Fields by class and offset: a table that is filled and never changed. */
    private static final Class<?>[] FIELD_CLASSES = new Class<?>[MOST_FIELDS];

    /** Offset in the upper half, number of the field in the lower. */
    private static final long[] FIELDS = new long[FIELD_CLASSES.length];

    /** Offset of the field that holds a class's loader; its getter has probes. */
    private static final long LOADER = U.objectFieldOffset(Class.class, "classLoader");

    /** A word for each: whether it is taken. */
    private static final long FIELD_LOCKS = fieldLocks();

    // Byte offsets in what is known of a clone, which begins with the tags of both objects;
    // recorder/src/dataflow/clones.rs has it.
    private static final int CLONE_STORE = 8;
    private static final int CLONE_EDGES = 16;
    private static final int CLONE_FIRST = 24;

    private static final int CLONE_BITS = 10;

    /**
     * What is known of clones: an address at the place of its hash, 0 if there is none. What is there
     * says what it is of, and never changes, so threads may write over each other's.
     */
    private static final long CLONES = U.allocateMemory(8 << CLONE_BITS);

    static {
        U.setMemory(CLONES, 8 << CLONE_BITS, (byte) 0);
    }

    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private SubsumeIntrinsics() {
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
        long target = (long) SubsumeTags.tag(to) << 32 | store + SubsumeArrays.logOfElementSize(to);
        SubsumeDataflow.count(SubsumeDataflow.element(tag), target, length);
        return length;
    }

    /**
     * An object was cloned: all elements, or all fields, were copied. Returns how many. With the
     * complement of a store's number, that is so unless the class has a {@code clone} of its own, which
     * may return anything.
     */
    @Hidden
    public static int cloned(Object from, Object to, int store) {
        return SubsumeTags.isArray(from)
                ? copied(from, to, java.lang.reflect.Array.getLength(from), store)
                : clonedFields(from, to, store);
    }

    @Hidden
    static int clonedFields(Object from, Object to, int store) {
        long tags = (long) SubsumeTags.tag(from) << 32 | SubsumeTags.tag(to);
        long place = CLONES + ((tags + store) * MIX >>> 64 - CLONE_BITS << 3);
        long clone = U.getLong(null, place);
        if (clone == 0 || U.getLong(null, clone) != tags || U.getLong(null, clone + CLONE_STORE) != store) {
            clone = findClone(from.getClass(), tags, store);
            if (clone == 0) {
                return 0;
            }
            U.putLong(null, place, clone);
        }
        int edges = (int) U.getLong(null, clone + CLONE_EDGES);
        for (int i = 0; i < edges; i++) {
            long edge = clone + CLONE_FIRST + ((long) i << 4);
            SubsumeDataflow.count(U.getLong(null, edge), U.getLong(null, edge + 8), 1);
        }
        return edges;
    }

    /** Shadow of what is loaded from this offset of an object. */
    @Hidden
    public static long locationAt(Object owner, long offset) {
        if (owner == null) {
            return 0;
        }
        int tag = SubsumeTags.tag(owner);
        if (SubsumeTags.isArray(owner)) {
            return SubsumeDataflow.element(tag);
        }
        int field = fieldAt(owner.getClass(), offset);
        return field == 0 ? 0 : SubsumeDataflow.field(tag, field);
    }

    /** A value is stored at this offset of an object. Returns 1 if that is a copy. */
    @Hidden
    public static int storeAt(long shadow, Object owner, long offset, int store) {
        if (shadow == 0 || owner == null) {
            return 0;
        }
        if (!SubsumeTags.isArray(owner)) {
            int field = fieldAt(owner.getClass(), offset);
            store = field == 0 ? 0 : storeOf(store, field);
            if (store == 0) {
                return 0;
            }
        }
        SubsumeDataflow.count(shadow, (long) SubsumeTags.tag(owner) << 32 | store, 1);
        return SubsumeDataflow.isProducer(shadow) ? 0 : 1;
    }

    /** Likewise, if the store took place. */
    @Hidden
    public static int storeAtIf(
            int stored, long shadow, Object owner, long offset, int store) {
        return stored == 0 ? 0 : storeAt(shadow, owner, offset, store);
    }

    /** Number of the field at this offset of objects of a class, 0 if there is none. */
    @Hidden
    static int fieldAt(Class<?> type, long offset) {
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

    /** Initialises the class; true if there is memory for what it keeps. */
    static boolean canFollow() {
        return FIELD_LOCKS != 0;
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    /** Address of a word for each place of the table of fields. */
    private static native long fieldLocks();

    /** Number of the field at this offset of objects of a class, 0 if there is none. */
    private static native int findField(Class<?> type, long offset);

    /** Number of a store of a field by an instruction that has that number for others. */
    static native int storeOf(int store, int field);

    /** Address of what is known of a clone between objects of a class with these tags; 0 without room. */
    private static native long findClone(Class<?> type, long tags, int store);
}
