package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Invalidation of last writers behind uninstrumented stores: stores by {@link Unsafe}, and so by field
 * updaters, variable handles, method handles and reflection, and stores in code that is not followed.
 * Where the stored value came from is not known, but it did not come from the instruction that wrote
 * the location before: the last writer of the location is cleared.
 */
public final class SubsumeInvalidation {
    static {
        bindNatives();
    }

    private static final Unsafe U = Unsafe.getUnsafe();

    /** Whether last writers of elements are those of {@link SubsumeElements}. */
    static final boolean COSTS = followsCosts();

    private SubsumeInvalidation() {
    }

    /** Notes that bytes at an offset of an object were written; a reference counts as one. */
    @Hidden
    public static void invalidate(Object owner, long offset, long bytes) {
        if (owner == null || bytes <= 0) {
            // Outside of the heap, or nothing.
            return;
        }
        int shift = SubsumeArrays.logOfElementSize(owner);
        if (shift < 0) {
            invalidateField(owner, offset, bytes);
            return;
        }
        long first = offset - SubsumeArrays.offsetOfElements(owner) >> shift;
        long last = offset + bytes - 1 - SubsumeArrays.offsetOfElements(owner) >> shift;
        if (first >= 0 && last < java.lang.reflect.Array.getLength(owner)) {
            invalidateElements(owner, (int) first, (int) (last - first) + 1);
        }
    }

    /** Notes that bytes at an offset of an object were written, if the store took place. */
    @Hidden
    public static void invalidateIf(int stored, Object owner, long offset, long bytes) {
        if (stored != 0) {
            invalidate(owner, offset, bytes);
        }
    }

    /** An element of an array was written. */
    @Hidden
    public static void invalidateElement(Object array, int index) {
        invalidateElements(array, index, 1);
    }

    /** Elements of an array were written. */
    @Hidden
    public static void invalidateElements(Object array, int start, int count) {
        if (count <= 0) {
            return;
        }
        if (!COSTS) {
            if (array instanceof Object[]) {
                SubsumeNullElements.forget((Object[]) array, start, count);
            }
            return;
        }
        // Of one that nobody has seen nothing is known; it need not get a place.
        long place = SubsumeTags.isUnknown(array) ? 0 : SubsumeClockCache.of(array);
        if (place != 0) {
            int length = java.lang.reflect.Array.getLength(array);
            SubsumeElements.forget(place, start, count, length);
            SubsumeClockCache.written(array, place);
        }
    }

    /** A static field was written. */
    @ForceInline
    @Hidden
    public static void invalidateStatic(int field) {
        SubsumeStatics.write(SubsumeStatics.number(field), 0);
    }

    @DontInline
    @Hidden
    static void invalidateField(Object owner, long offset, long bytes) {
        SubsumeShadowFields known = SubsumeShadowFields.of(owner.getClass());
        boolean isFound = false;
        for (int i = 0; known != null && i < known.ofObjects.length; i += 2) {
            long field = known.ofObjects[i];
            if (field >= offset && field < offset + bytes) {
                U.putInt(owner, known.ofObjects[i + 1], 0);
                isFound = true;
            }
        }
        if (!isFound && owner instanceof Class<?>) {
            invalidateStatic((Class<?>) owner, offset, bytes);
        }
    }

    /** Static fields lie in the object that stands for their class. */
    @Hidden
    private static void invalidateStatic(Class<?> type, long offset, long bytes) {
        SubsumeShadowFields known = SubsumeShadowFields.of(type);
        long[] fields = known == null ? null : known.statics(type);
        for (int i = 0; fields != null && i < fields.length; i += 2) {
            if (fields[i] >= offset && fields[i] < offset + bytes) {
                U.putInt(null, fields[i + 1], 0);
            }
        }
    }

    /** Initialises the class, and the one that it needs. */
    static boolean canFollow() {
        return SubsumeShadowFields.isReady();
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    private static native boolean followsCosts();

    /**
     * Fields that have last writers, those of objects or the static ones that a class declares: for
     * each, its offset and that of its last writer, or the address if it is static. Null if the class
     * is not ready.
     */
    static native long[] shadowFields(Class<?> type, boolean areStatic);
}
