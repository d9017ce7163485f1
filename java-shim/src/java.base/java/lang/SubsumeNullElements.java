package java.lang;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The nodes that stored null in an array's elements last; see {@link SubsumeNulls}. Arrays in which
 * nobody stores null have none.
 */
final class SubsumeNullElements extends SubsumeWeak {
    private static final int BITS = 16;
    private static final SubsumeWeak[] TABLE = new SubsumeWeak[1 << BITS];

    /** For each element. */
    int[] writers;

    private SubsumeNullElements() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return TABLE.length > 0;
    }

    /** Those of an array; null if it has none. */
    @ForceInline
    @Hidden
    static SubsumeNullElements of(Object array) {
        return (SubsumeNullElements) find(TABLE, BITS, array);
    }

    /** Those of an array that null is stored in; null without memory. */
    @DontInline
    @Hidden
    static SubsumeNullElements toWrite(Object[] array) {
        SubsumeNullElements known = of(array);
        if (known != null) {
            return known;
        }
        try {
            SubsumeNullElements made = (SubsumeNullElements) allocate(SubsumeNullElements.class);
            made.writers = new int[array.length];
            return (SubsumeNullElements) put(TABLE, BITS, array, made);
        } catch (InstantiationException | OutOfMemoryError e) {
            return null;
        }
    }
}
