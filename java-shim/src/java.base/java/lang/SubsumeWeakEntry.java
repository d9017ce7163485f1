package java.lang;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * An entry of a weak identity map: what is known of an object that has no room for it. Entries are
 * made without running a constructor, which would be recorded.
 */
class SubsumeWeakEntry extends WeakReference<Object> {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final long REFERENT = U.objectFieldOffset(Reference.class, "referent");
    private static final long QUEUE = U.objectFieldOffset(Reference.class, "queue");

    /** Has the queue of references that nobody queues. */
    private static final Object UNQUEUED = new WeakReference<Object>(null);

    /** Buckets of a table that are looked at in one go for what can be dropped. */
    private static final int SWEPT_AT_ONCE = 16;

    /** Its object goes with the next collection of garbage. */
    private static SubsumeWeakEntry canary;

    /** Buckets that were not looked at since the last collection, and where they begin. */
    private static int toSweep;

    private static int sweptTo;

    /** The next one with the same hash. */
    SubsumeWeakEntry next;

    SubsumeWeakEntry() {
        super(null);
    }

    /** What stands beside an object in a table with so many bits; null if nothing does. */
    @ForceInline
    @Hidden
    static SubsumeWeakEntry find(SubsumeWeakEntry[] table, int bits, Object object) {
        SubsumeWeakEntry found = table[place(bits, object)];
        while (found != null && !found.isBeside(object)) {
            found = found.next;
        }
        return found;
    }

    @ForceInline
    @Hidden
    boolean isBeside(Object object) {
        return U.getReference(this, REFERENT) == object;
    }

    @ForceInline
    @Hidden
    static int place(int bits, Object object) {
        return System.identityHashCode(object) * 0x9E37_79B1 >>> 32 - bits;
    }

    /** Binary logarithm of the buckets of a large table: it takes a five-hundredth of the heap. */
    @Hidden
    static int bitsOfTable() {
        int bits = 52 - Long.numberOfLeadingZeros(Runtime.getRuntime().maxMemory());
        return Math.min(Math.max(bits, 12), 20);
    }

    /** Its object is gone. May be called several times. */
    @Hidden
    void drop() {
    }

    /** One that stands beside nothing yet. */
    @Hidden
    static SubsumeWeakEntry allocate(Class<?> type) throws InstantiationException {
        SubsumeWeakEntry made = (SubsumeWeakEntry) U.allocateInstance(type);
        U.putReference(made, QUEUE, U.getReference(UNQUEUED, QUEUE));
        return made;
    }

    /** Puts one beside an object. Returns what stands there, which another thread may have put. */
    @DontInline
    @Hidden
    static SubsumeWeakEntry put(SubsumeWeakEntry[] table, int bits, Object object, SubsumeWeakEntry made) {
        U.putReference(made, REFERENT, object);
        long place =
                SubsumeArrays.REFERENCE_BASE
                        + ((long) place(bits, object) << SubsumeArrays.REFERENCE_SHIFT);
        while (true) {
            Object head = U.getReferenceVolatile(table, place);
            SubsumeWeakEntry first = withoutDead((SubsumeWeakEntry) head);
            for (SubsumeWeakEntry one = first; one != null; one = one.next) {
                if (U.getReference(one, REFERENT) == object) {
                    return one;
                }
            }
            made.next = first;
            if (U.compareAndSetReference(table, place, head, made)) {
                return made;
            }
        }
    }

    /**
     * Called whenever a table gets something: drops some of those whose objects are gone, until the
     * table has been gone through once after a collection of garbage. Threads that get in each
     * other's way leave some for the next time. True if there was one just now.
     */
    @Hidden
    static boolean sweep(SubsumeWeakEntry[] table) throws InstantiationException {
        boolean collected = canary == null || canary.isBeside(null);
        if (collected) {
            SubsumeWeakEntry made = allocate(SubsumeWeakEntry.class);
            U.putReference(made, REFERENT, U.allocateInstance(Object.class));
            canary = made;
            toSweep = table.length;
        }
        if (toSweep <= 0) {
            return collected;
        }
        toSweep -= SWEPT_AT_ONCE;
        int at = sweptTo;
        sweptTo = at + SWEPT_AT_ONCE;
        for (int i = 0; i < SWEPT_AT_ONCE; i++) {
            int bucket = at + i & table.length - 1;
            SubsumeWeakEntry head = table[bucket];
            if (head != null) {
                SubsumeWeakEntry first = withoutDead(head);
                if (first != head) {
                    long place =
                            SubsumeArrays.REFERENCE_BASE
                                    + ((long) bucket << SubsumeArrays.REFERENCE_SHIFT);
                    U.compareAndSetReference(table, place, head, first);
                }
            }
        }
        return collected;
    }

    /** A list without those whose objects are gone. Others may be reading it. */
    @Hidden
    private static SubsumeWeakEntry withoutDead(SubsumeWeakEntry first) {
        while (first != null && U.getReference(first, REFERENT) == null) {
            first.drop();
            first = first.next;
        }
        SubsumeWeakEntry last = first;
        while (last != null) {
            SubsumeWeakEntry next = last.next;
            while (next != null && U.getReference(next, REFERENT) == null) {
                next.drop();
                next = next.next;
            }
            last.next = next;
            last = next;
        }
        return first;
    }
}
