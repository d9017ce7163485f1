package java.lang;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The instance fields of a class, for clones in the cost graph: {@link #EACH} numbers for each.
 */
final class SubsumeFields extends SubsumeWeakEntry {
    /** Numbers of a field. The first one is its own. */
    static final int EACH = 3;

    /** Offset of its last writer, 0 if it has none. */
    static final int SHADOW = 1;

    /** Its offset if it is a reference, else 0. */
    static final int REFERENCE = 2;

    private static final int BITS = 10;
    private static final SubsumeWeakEntry[] TABLE = new SubsumeWeakEntry[1 << BITS];

    private static final long[] NONE = {};

    private long[] fields;

    private boolean overridesClone;

    private SubsumeFields() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return TABLE.length > 0;
    }

    /** Those of a class; none without memory. */
    @Hidden
    static long[] of(Class<?> type) {
        SubsumeFields known = (SubsumeFields) find(TABLE, BITS, type);
        return known != null ? known.fields : find(type);
    }

    /** Whether a class has a {@code clone} that is not Object's. */
    @Hidden
    static boolean overrideClone(Class<?> type) {
        SubsumeFields known = (SubsumeFields) find(TABLE, BITS, type);
        return known != null ? known.overridesClone : SubsumeCosts.overridesClone(type);
    }

    @DontInline
    @Hidden
    private static long[] find(Class<?> type) {
        try {
            long[] fields = SubsumeCosts.fields(type);
            if (fields == null) {
                return NONE;
            }
            SubsumeFields made = (SubsumeFields) allocate(SubsumeFields.class);
            made.fields = fields;
            made.overridesClone = SubsumeCosts.overridesClone(type);
            put(TABLE, BITS, type, made);
            return fields;
        } catch (InstantiationException | OutOfMemoryError e) {
            return NONE;
        }
    }
}
