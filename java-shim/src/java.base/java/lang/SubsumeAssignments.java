package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Which objects were ever assigned to the heap: a reference to them was stored in a field or an
 * element. A bit of the {@link SubsumeMark} says so, and the thread that sets it counts the object.
 *
 * <p>The first reference to an object that is stored was not loaded from the heap: so only values that
 * may be new are looked at. What was loaded from the heap has been stored there before.
 *
 * <p>The bit is set as the JVM itself adds an identity hash to a mark: by a compare-and-set that keeps
 * all other bits, on a reference that the garbage collector has already made point to the object's
 * present place.
 */
public final class SubsumeAssignments {
    static final Unsafe U = Unsafe.getUnsafe();

    /** For each tag, the size of its objects; see crates/instrument/src/dataflow/objects/tag_table.rs. */
    private static final long SIZES = SubsumeTags.table(SubsumeTags.TABLE_OF_SIZES);

    // Where edges from new objects lead to that count what was assigned: in place of a store's number.
    private static final long OBJECTS = 0xFFFF_FFFFL;
    private static final long BYTES = 0xFFFF_FFFEL;

    private SubsumeAssignments() {
    }

    /** A reference with this shadow was stored. */
    @ForceInline
    @Hidden
    public static void assigned(Object value, long shadow) {
        if (value != null && (shadow == 0 || SubsumeDataflow.isProducer(shadow))) {
            long mark = U.getLong(value, 0L);
            if (SubsumeMark.isUnassigned(mark)) {
                assign(value, mark);
            } else if (SubsumeMark.isOutOfReach(mark)) {
                assignLocked(value);
            }
        }
    }

    /** A reference was stored that was not loaded from the heap. */
    @ForceInline
    @Hidden
    public static void assignedNew(Object value) {
        if (value != null) {
            long mark = U.getLong(value, 0L);
            if (SubsumeMark.isUnassigned(mark)) {
                assign(value, mark);
            } else if (SubsumeMark.isOutOfReach(mark)) {
                assignLocked(value);
            }
        }
    }

    /** A reference with this shadow may have been stored. */
    @Hidden
    public static void assignedIf(int stored, Object value, long shadow) {
        if (stored != 0) {
            assigned(value, shadow);
        }
    }

    /** A new array, made with so many dimensions: others are its elements from the beginning. */
    @Hidden
    public static void innerArrays(Object array, int dimensions) {
        if (dimensions > 1) {
            for (Object inner : (Object[]) array) {
                assignedNew(inner);
                innerArrays(inner, dimensions - 1);
            }
        }
    }

    /** Sets the bit in an object's mark. */
    @DontInline
    @Hidden
    static void assign(Object value, long mark) {
        while (!U.compareAndSetLong(value, 0L, mark, mark | SubsumeMark.ASSIGNED)) {
            // Another thread has it, too: it locks it, or was first.
            mark = U.getLong(value, 0L);
            if (!SubsumeMark.isUnassigned(mark)) {
                return;
            }
        }
        count(value, SubsumeMark.tagIn(mark), mark, 1);
    }

    /**
     * Sets the bit where the JVM keeps the mark of a locked object elsewhere: in its monitor, or in the
     * stack of the thread that has locked it. As long as this thread has, the mark stays there. What
     * others have locked, they have got from the heap.
     */
    @DontInline
    @Hidden
    static void assignLocked(Object value) {
        if (!Thread.holdsLock(value)) {
            return;
        }
        // Afterwards there is a hash, and it shows where the mark is.
        int hash = System.identityHashCode(value);
        long mark = U.getLong(value, 0L);
        long address = SubsumeMark.addressOfDisplaced(mark, hash);
        if (address == 0) {
            return;
        }
        long displaced = U.getLong(null, address);
        if (SubsumeMark.isUnassigned(displaced) && SubsumeMark.isUnlockedWith(displaced, hash)
                && U.compareAndSetLong(null, address, displaced, displaced | SubsumeMark.ASSIGNED)) {
            count(value, SubsumeMark.tagIn(displaced), mark, 1);
        }
    }

    /** An object whose mark has the bit gets another tag. */
    @Hidden
    static void move(Object value, int from, int to, long mark) {
        count(value, from, mark, -1);
        count(value, to, mark, 1);
    }

    @Hidden
    private static void count(Object value, int tag, long mark, int objects) {
        long from = SubsumeDataflow.field(tag, SubsumeDataflow.PRODUCER);
        SubsumeDataflow.count(from, OBJECTS, objects);
        if (U.getInt(null, SIZES + ((long) tag << 2)) == 0) {
            SubsumeDataflow.count(from, BYTES, objects * SubsumeAllocations.bytesOf(value, mark));
        }
    }
}
