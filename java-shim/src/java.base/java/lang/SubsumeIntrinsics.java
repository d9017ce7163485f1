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

    // Byte offsets in what is known of a clone, which begins with the tags of both objects;
    // crates/instrument/src/dataflow/objects/clones.rs has it.
    private static final int CLONE_STORE = 8;
    private static final int CLONE_EDGES = 16;
    private static final int CLONE_FIRST = 24;

    private static final int CLONE_BITS = 10;

    /**
     * What is known of clones: an address at the place of its hash, 0 if there is none. What is there
     * says what it is of, and never changes, so threads may write over each other's.
     */
    private static final long CLONES = U.allocateMemory(8 << CLONE_BITS);

    /** Byte offset of the number in what is known of a store of a field, which begins with both. */
    private static final int STORE_NUMBER = 8;

    private static final int STORE_BITS = 10;

    /** What is known, in the same way, of stores of fields by instructions that may store into any. */
    private static final long STORES = U.allocateMemory(8 << STORE_BITS);

    static {
        U.setMemory(CLONES, 8 << CLONE_BITS, (byte) 0);
        U.setMemory(STORES, 8 << STORE_BITS, (byte) 0);
    }

    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private SubsumeIntrinsics() {
    }

    /**
     * Notes that elements were copied from array to array. Returns how many. The store has four
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
        int field = SubsumeFieldNumbers.at(owner.getClass(), offset);
        return field == 0 ? 0 : SubsumeDataflow.field(tag, field);
    }

    /** A value is stored at this offset of an object. Returns 1 if that is a copy. */
    @Hidden
    public static int storeAt(long shadow, Object owner, long offset, int store) {
        if (shadow == 0 || owner == null) {
            return 0;
        }
        if (!SubsumeTags.isArray(owner)) {
            int field = SubsumeFieldNumbers.at(owner.getClass(), offset);
            store = field == 0 ? 0 : numberOf(store, field);
            if (store == 0) {
                return 0;
            }
        }
        SubsumeDataflow.count(shadow, (long) SubsumeTags.tag(owner) << 32 | store, 1);
        return SubsumeDataflow.isProducer(shadow) ? 0 : 1;
    }

    /** A value is stored at this offset of an object, if the store took place. */
    @Hidden
    public static int storeAtIf(
            int stored, long shadow, Object owner, long offset, int store) {
        return stored == 0 ? 0 : storeAt(shadow, owner, offset, store);
    }

    /** Number of a store of a field by an instruction that has that number for others; 0 if it is none. */
    @Hidden
    static int numberOf(int store, int field) {
        long key = (long) store << 32 | field;
        long place = STORES + (key * MIX >>> 64 - STORE_BITS << 3);
        long known = U.getLong(null, place);
        if (known == 0 || U.getLong(null, known) != key) {
            known = storeOf(store, field);
            if (known == 0) {
                return 0;
            }
            U.putLong(null, place, known);
        }
        return U.getInt(null, known + STORE_NUMBER);
    }

    /** Initialises the class, and the one that it needs. */
    static boolean canFollow() {
        return SubsumeFieldNumbers.isReady();
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    /** Offsets of the instance fields of a class, as {@link SubsumeFieldNumbers} has them; null without memory. */
    static native long[] fieldOffsets(Class<?> type);

    /** Number of the field at this offset of objects of a class, 0 if there is none. */
    static native int findField(Class<?> type, long offset);

    /** Address of what is known of a store of a field by an instruction; 0 for other stores. */
    private static native long storeOf(int store, int field);

    /** Address of what is known of a clone between objects of a class with these tags; 0 without room. */
    private static native long findClone(Class<?> type, long tags, int store);
}
