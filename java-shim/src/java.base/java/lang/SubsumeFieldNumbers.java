package java.lang;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The numbers of the instance fields of a class, by offset: for accesses of which only the object and
 * the offset are known. A class that nobody else refers to goes, and its entry with it.
 */
final class SubsumeFieldNumbers extends SubsumeWeakEntry {
    private static final int BITS = 10;
    private static final SubsumeWeakEntry[] TABLE = new SubsumeWeakEntry[1 << BITS];

    /**
     * For each field its offset in the upper half, in ascending order, and its number in the lower;
     * 0 if nobody has asked for it.
     */
    private long[] fields;

    private SubsumeFieldNumbers() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return TABLE.length > 0;
    }

    /** Number of the field at this offset of objects of a class, 0 if there is none. */
    @Hidden
    static int at(Class<?> type, long offset) {
        SubsumeFieldNumbers known = (SubsumeFieldNumbers) find(TABLE, BITS, type);
        if (known == null) {
            known = make(type);
        }
        long[] fields = known == null ? null : known.fields;
        if (fields == null) {
            return 0;
        }
        int first = 0;
        int end = fields.length;
        while (first < end) {
            int middle = first + end >>> 1;
            if (fields[middle] >>> 32 < offset) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        if (first == fields.length || fields[first] >>> 32 != offset) {
            return 0;
        }
        int number = (int) fields[first];
        return number != 0 ? number : ask(type, offset, fields, first);
    }

    /** A field that nobody has asked for. Threads that do so at once are told the same. */
    @DontInline
    @Hidden
    private static int ask(Class<?> type, long offset, long[] fields, int index) {
        int number = SubsumeIntrinsics.findField(type, offset);
        fields[index] = offset << 32 | number;
        return number;
    }

    /** Null without memory. */
    @DontInline
    @Hidden
    private static SubsumeFieldNumbers make(Class<?> type) {
        try {
            SubsumeFieldNumbers made = (SubsumeFieldNumbers) allocate(SubsumeFieldNumbers.class);
            made.fields = SubsumeIntrinsics.fieldOffsets(type);
            return made.fields == null ? null : (SubsumeFieldNumbers) put(TABLE, BITS, type, made);
        } catch (InstantiationException | OutOfMemoryError e) {
            return null;
        }
    }
}
