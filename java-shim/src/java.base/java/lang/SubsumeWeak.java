package java.lang;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Something that is known of an object and stands beside it, in a table by identity. Objects of
 * this class are made without running a constructor, which would be recorded.
 */
class SubsumeWeak extends WeakReference<Object> {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final long REFERENT = U.objectFieldOffset(Reference.class, "referent");
    private static final long QUEUE = U.objectFieldOffset(Reference.class, "queue");

    /** Has the queue of references that nobody queues. */
    private static final Object UNQUEUED = new WeakReference<Object>(null);

    /** The next one with the same hash. */
    SubsumeWeak next;

    SubsumeWeak() {
        super(null);
    }

    /** What stands beside an object in a table with so many bits; null if nothing does. */
    @ForceInline
    @Hidden
    static SubsumeWeak find(Object[] table, int bits, Object object) {
        SubsumeWeak found = (SubsumeWeak) table[place(bits, object)];
        while (found != null && U.getReference(found, REFERENT) != object) {
            found = found.next;
        }
        return found;
    }

    @ForceInline
    @Hidden
    private static int place(int bits, Object object) {
        return System.identityHashCode(object) * 0x9E37_79B1 >>> 32 - bits;
    }

    /** One that stands beside nothing yet. */
    @Hidden
    static SubsumeWeak allocate(Class<?> type) throws InstantiationException {
        SubsumeWeak made = (SubsumeWeak) U.allocateInstance(type);
        U.putReference(made, QUEUE, U.getReference(UNQUEUED, QUEUE));
        return made;
    }

    /** Puts one beside an object. Returns what stands there, which another thread may have put. */
    @DontInline
    @Hidden
    static SubsumeWeak put(Object[] table, int bits, Object object, SubsumeWeak made) {
        U.putReference(made, REFERENT, object);
        long place =
                SubsumeTags.REFERENCE_BASE
                        + ((long) place(bits, object) << SubsumeTags.REFERENCE_SHIFT);
        while (true) {
            Object head = U.getReferenceVolatile(table, place);
            SubsumeWeak first = withoutDead((SubsumeWeak) head);
            for (SubsumeWeak one = first; one != null; one = one.next) {
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

    /** A list without those whose objects are gone. Others may be reading it. */
    @Hidden
    private static SubsumeWeak withoutDead(SubsumeWeak first) {
        while (first != null && U.getReference(first, REFERENT) == null) {
            first = first.next;
        }
        SubsumeWeak last = first;
        while (last != null) {
            SubsumeWeak next = last.next;
            while (next != null && U.getReference(next, REFERENT) == null) {
                next = next.next;
            }
            last.next = next;
            last = next;
        }
        return first;
    }
}
