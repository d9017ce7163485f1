package java.lang;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Where the last writers of a class's fields are, for stores of which only the offset is known; see
 * {@link SubsumeReplaced#companions}.
 */
final class SubsumeCompanions extends SubsumeWeak {
    private static final int BITS = 10;
    private static final SubsumeWeak[] TABLE = new SubsumeWeak[1 << BITS];

    long[] ofObjects;

    private long[] ofClass;

    private SubsumeCompanions() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return TABLE.length > 0;
    }

    /** Those of a class; null without memory. */
    @Hidden
    static SubsumeCompanions of(Class<?> type) {
        SubsumeCompanions known = (SubsumeCompanions) find(TABLE, BITS, type);
        return known != null ? known : make(type);
    }

    @DontInline
    @Hidden
    private static SubsumeCompanions make(Class<?> type) {
        try {
            SubsumeCompanions made = (SubsumeCompanions) allocate(SubsumeCompanions.class);
            made.ofObjects = SubsumeReplaced.companions(type, false);
            if (made.ofObjects == null) {
                return null;
            }
            return (SubsumeCompanions) put(TABLE, BITS, type, made);
        } catch (InstantiationException | OutOfMemoryError e) {
            return null;
        }
    }

    /** Those of the static fields of the class; null if it is not ready. */
    @Hidden
    long[] statics(Class<?> type) {
        if (ofClass == null) {
            ofClass = SubsumeReplaced.companions(type, true);
        }
        return ofClass;
    }
}
