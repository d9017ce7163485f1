package java.lang;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/** The last writers of an array's elements; see {@link SubsumeCosts}. */
final class SubsumeElements extends SubsumeWeak {
    private static final int BITS = 19;
    private static final Object[] TABLE = new Object[1 << BITS];

    /** Larger arrays have one shadow for several neighbours. */
    private static final int MOST_WRITERS = 1 << 16;

    /** The last writer of each element, or of each group of neighbours. */
    int[] writers;

    /** Binary logarithm of the number of elements in a group. */
    int shift;

    private SubsumeElements() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return TABLE.length > 0;
    }

    /** Those of an array; null if it has none. */
    @ForceInline
    @Hidden
    static SubsumeElements of(Object array) {
        return (SubsumeElements) find(TABLE, BITS, array);
    }

    /** Those of an array that is about to be written; null without memory. */
    @ForceInline
    @Hidden
    static SubsumeElements toWrite(Object array) {
        SubsumeElements known = of(array);
        return known != null ? known : make(array);
    }

    @DontInline
    @Hidden
    private static SubsumeElements make(Object array) {
        try {
            int length = java.lang.reflect.Array.getLength(array);
            int shift = 0;
            while (length - 1 >>> shift >= MOST_WRITERS) {
                shift++;
            }
            SubsumeElements made = (SubsumeElements) allocate(SubsumeElements.class);
            made.writers = new int[(length - 1 >>> shift) + 1];
            made.shift = shift;
            SubsumeElements kept = (SubsumeElements) put(TABLE, BITS, array, made);
            if (kept == made && shift > 0) {
                SubsumeCosts.share(length);
            }
            return kept;
        } catch (InstantiationException | OutOfMemoryError e) {
            return null;
        }
    }
}
