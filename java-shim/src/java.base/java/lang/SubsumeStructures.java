package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What objects hold, so many references deep: two that hold the same have the same hash. Fields count by
 * their bits, strings by their contents, and what lies deeper by its class; classes, threads, class loaders
 * and enum constants by their numbers.
 */
final class SubsumeStructures {
    static {
        bindNatives();
    }

    private static final Unsafe U = Unsafe.getUnsafe();

    /** Address of layouts that were asked for before, by the numbers of their classes. */
    private static final long LAYOUTS = layouts();

    private static final int LOG_OF_LAYOUTS = 10;

    // Byte offsets in a layout. At offset 0 is the number of its class.
    private static final int KIND = 8;
    private static final int COUNT = 16;
    private static final int FIELDS = 24;

    // Kinds of classes; arrays of values have the first letter of their descriptor.
    private static final int BY_NUMBER = 0;
    private static final int BY_FIELDS = 1;
    /** As before, however deep: boxes. */
    private static final int VALUE = 2;

    /** Beside the number that a thread draws next, how many objects may still be looked at. */
    private static final int LEFT_TO_SEE = 16;

    /** How many objects and parts of arrays are read; those behind count by their numbers. */
    private static final int MOST = 1 << 14;

    /** Elements of such a part. */
    private static final int PART = 64;

    /** Bytes of a reference in an array. */
    private static final int REFERENCE = U.arrayIndexScale(Object[].class);

    private SubsumeStructures() {
    }

    /** The hash of an object. At the address is the number that the thread draws next. */
    @DontInline
    @Hidden
    static long of(long drawn, Object object, int depth) {
        U.putLong(null, drawn + LEFT_TO_SEE, MOST);
        return hash(drawn, object, depth);
    }

    @DontInline
    @Hidden
    private static long hash(long drawn, Object object, int depth) {
        if (object == null) {
            return 0;
        }
        if (object instanceof String) {
            return SubsumeInputs.contents(drawn, object);
        }
        long layout = layout(drawn, object.getClass());
        int kind = layout == 0 ? BY_NUMBER : (int) U.getLong(null, layout + KIND);
        if (kind == BY_NUMBER || !sees(drawn, 1)) {
            return SubsumeIdentities.of(drawn, object);
        }
        long hash = U.getLong(null, layout);
        if (depth == 0 && kind != VALUE) {
            return SubsumeInputs.mix(hash, kind);
        }
        return switch (kind) {
            case BY_FIELDS, VALUE -> fields(drawn, object, depth, layout, hash);
            case 'L' -> elements(drawn, (Object[]) object, depth, hash);
            default -> values(drawn, object, kind, hash);
        };
    }

    @DontInline
    @Hidden
    private static long fields(long drawn, Object object, int depth, long layout, long start) {
        long hash = start;
        long end = layout + FIELDS + (U.getLong(null, layout + COUNT) << 3);
        for (long at = layout + FIELDS; at < end; at += 8) {
            long field = U.getLong(null, at);
            long offset = field >>> 8;
            long value = switch ((int) field & 0xFF) {
                case 'Z', 'B' -> U.getByte(object, offset);
                case 'C', 'S' -> U.getShort(object, offset);
                case 'I', 'F' -> U.getInt(object, offset);
                case 'J', 'D' -> U.getLong(object, offset);
                default -> hash(drawn, U.getReference(object, offset), depth - 1);
            };
            hash = SubsumeInputs.mix(hash, value);
        }
        return hash;
    }

    @DontInline
    @Hidden
    private static long elements(long drawn, Object[] array, int depth, long start) {
        long hash = SubsumeInputs.mix(start, array.length);
        long first = SubsumeInputs.FIRST_BYTE + REFERENCE - 1 & -REFERENCE;
        for (int i = 0; i < array.length; i++) {
            Object element = U.getReference(array, first + (long) i * REFERENCE);
            hash = SubsumeInputs.mix(hash, hash(drawn, element, depth - 1));
        }
        return hash;
    }

    /** Elements that are no references, eight bytes at once. */
    @DontInline
    @Hidden
    private static long values(long drawn, Object array, int kind, long start) {
        int scale = switch (kind) {
            case 'Z', 'B' -> 1;
            case 'C', 'S' -> 2;
            case 'I', 'F' -> 4;
            default -> 8;
        };
        int length = java.lang.reflect.Array.getLength(array);
        if (!sees(drawn, length / PART)) {
            return SubsumeIdentities.of(drawn, array);
        }
        long hash = SubsumeInputs.mix(start, length);
        long at = SubsumeInputs.FIRST_BYTE + scale - 1 & -scale;
        long end = at + (long) length * scale;
        for (; at + 8 <= end; at += 8) {
            hash = SubsumeInputs.mix(hash, U.getLongUnaligned(array, at));
        }
        for (; at < end; at++) {
            hash = SubsumeInputs.mix(hash, U.getByte(array, at));
        }
        return hash;
    }

    @Hidden
    private static boolean sees(long drawn, int more) {
        long left = U.getLong(null, drawn + LEFT_TO_SEE) - more;
        U.putLong(null, drawn + LEFT_TO_SEE, left);
        return left >= 0;
    }

    /** The layout of objects of a class; 0 if there is none. */
    @DontInline
    @Hidden
    private static long layout(long drawn, Class<?> type) {
        int number = SubsumeIdentities.of(drawn, type);
        long place = LAYOUTS + ((number * 0x9E37_79B9 >>> 32 - LOG_OF_LAYOUTS) << 3);
        long layout = U.getLong(null, place);
        if (layout == 0 || U.getLong(null, layout) != number) {
            layout = layout(type, number);
            U.putLong(null, place, layout);
        }
        return layout;
    }

    /** Initialises the class; true if structures can be compared. */
    static boolean isReady() {
        return LAYOUTS != 0 && SubsumeInputs.isReady();
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    private static native long layouts();

    private static native long layout(Class<?> type, int number);
}
