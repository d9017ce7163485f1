package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/** How this JVM lays out arrays: where their elements are, and what arrays take of the heap. */
final class SubsumeArrays {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final int MARKER = 0x5A3C_7E19;
    private static final int NARROW_BASE = firstElement(new int[] {MARKER});
    private static final int WIDE_BASE = firstElement(new long[] {MARKER});
    static final int REFERENCE_SHIFT = U.arrayIndexScale(Object[].class) == 4 ? 2 : 3;
    static final int REFERENCE_BASE = REFERENCE_SHIFT == 2 ? NARROW_BASE : WIDE_BASE;
    private static final long ALIGNMENT = SubsumeTags.alignment();

    /** Kinds of arrays beside the four whose elements take 1, 2, 4 and 8 bytes: 0 to 3. */
    static final int REFERENCES = 4;

    private SubsumeArrays() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return REFERENCE_BASE > 0;
    }

    /** Binary logarithm of the bytes that an element of an array takes; negative for other objects. */
    @ForceInline
    @Hidden
    static int logOfElementSize(Object object) {
        if (object instanceof Object[]) {
            return REFERENCE_SHIFT;
        }
        if (object instanceof byte[] || object instanceof boolean[]) {
            return 0;
        }
        if (object instanceof char[] || object instanceof short[]) {
            return 1;
        }
        if (object instanceof int[] || object instanceof float[]) {
            return 2;
        }
        return object instanceof long[] || object instanceof double[] ? 3 : -1;
    }

    /** The offset of the first element of an array. */
    @Hidden
    static int offsetOfElements(Object array) {
        return array instanceof long[] || array instanceof double[] ? WIDE_BASE
                : array instanceof Object[] ? REFERENCE_BASE : NARROW_BASE;
    }

    /** The size of an array with elements of a kind. */
    @ForceInline
    @Hidden
    static long bytes(int length, int kind) {
        long bytes = switch (kind) {
            case REFERENCES -> REFERENCE_BASE + ((long) length << REFERENCE_SHIFT);
            case 3 -> WIDE_BASE + ((long) length << 3);
            default -> NARROW_BASE + ((long) length << kind);
        };
        return bytes + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /** The size of an array, 0 if it is none. */
    @Hidden
    static long bytesOf(Object array) {
        if (array instanceof Object[] references) {
            return bytes(references.length, REFERENCES);
        } else if (array instanceof byte[] bytes) {
            return bytes(bytes.length, 0);
        } else if (array instanceof boolean[] booleans) {
            return bytes(booleans.length, 0);
        } else if (array instanceof char[] chars) {
            return bytes(chars.length, 1);
        } else if (array instanceof short[] shorts) {
            return bytes(shorts.length, 1);
        } else if (array instanceof int[] ints) {
            return bytes(ints.length, 2);
        } else if (array instanceof float[] floats) {
            return bytes(floats.length, 2);
        } else if (array instanceof long[] longs) {
            return bytes(longs.length, 3);
        } else if (array instanceof double[] doubles) {
            return bytes(doubles.length, 3);
        }
        return 0;
    }

    /**
     * Where the first element of an array is, which holds {@link #MARKER}. What {@link Unsafe} knows
     * of it has other types in other releases.
     */
    private static int firstElement(Object array) {
        int offset = (int) SubsumeMark.CLASS_OFFSET;
        while (U.getInt(array, (long) offset) != MARKER) {
            offset += 4;
        }
        return offset;
    }
}
