package java.lang;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The shadow fields of a class, which hold the last writers of its fields, by offset: for stores of
 * which only the offset is known. See
 * {@link SubsumeInvalidation#shadowFields}.
 */
final class SubsumeShadowFields extends SubsumeWeakEntry {
    private static final int BITS = 10;
    private static final SubsumeWeakEntry[] TABLE = new SubsumeWeakEntry[1 << BITS];

    long[] ofObjects;

    private long[] ofClass;

    private SubsumeShadowFields() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return TABLE.length > 0;
    }

    /** Those of a class; null without memory. */
    @Hidden
    static SubsumeShadowFields of(Class<?> type) {
        SubsumeShadowFields known = (SubsumeShadowFields) find(TABLE, BITS, type);
        return known != null ? known : make(type);
    }

    @DontInline
    @Hidden
    private static SubsumeShadowFields make(Class<?> type) {
        try {
            SubsumeShadowFields made = (SubsumeShadowFields) allocate(SubsumeShadowFields.class);
            made.ofObjects = SubsumeInvalidation.shadowFields(type, false);
            if (made.ofObjects == null) {
                return null;
            }
            return (SubsumeShadowFields) put(TABLE, BITS, type, made);
        } catch (InstantiationException | OutOfMemoryError e) {
            return null;
        }
    }

    /** Those of the static fields of the class; null if it is not ready. */
    @Hidden
    long[] statics(Class<?> type) {
        if (ofClass == null) {
            ofClass = SubsumeInvalidation.shadowFields(type, true);
        }
        return ofClass;
    }
}
