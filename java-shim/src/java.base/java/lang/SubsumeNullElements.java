package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The nodes that stored null in an array's elements last; see {@link SubsumeNulls}. Arrays in which
 * nobody stores null have none; others have a place in the {@link SubsumeClockCache}, or elsewhere.
 *
 * <p>As long as one node stored all nulls of a short array, its number and a bit for each element say
 * it all. Any other store makes a block with a node for each element. Both change by comparing and
 * swapping, so threads that store in different elements at once lose nothing.
 */
final class SubsumeNullElements {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Arrays up to this length have a bit for each element. */
    private static final int FEW = 32;

    /** Of a number that holds the bits and the block: the bits. */
    private static final long BITS = 0xFFFF_FFFFL;

    private SubsumeNullElements() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return FEW > 0 && SubsumeClockCache.isReady() && SubsumeFreeLists.isReady() && SubsumeOverflowArray.isReady();
    }

    /** Who stored null in an element last; 0 if nobody was seen to. */
    @Hidden
    static int writer(Object[] array, int index) {
        long place = SubsumeClockCache.find(array);
        if (place == 0 || place == SubsumeClockCache.LOST) {
            return place == 0 ? 0 : SubsumeNulls.UNKNOWN;
        }
        int writer = writerAt(place, index);
        return SubsumeClockCache.isStill(array, place) ? writer : SubsumeNulls.UNKNOWN;
    }

    @Hidden
    private static int writerAt(long place, int index) {
        int block = U.getInt(null, place + SubsumeClockCache.BLOCK);
        if (block != 0) {
            return SubsumeFreeLists.get(block, index);
        }
        int one = one(place);
        boolean isIts = one == SubsumeNulls.UNKNOWN
                || index < FEW && (U.getInt(null, place + SubsumeClockCache.BITS) >>> index & 1) != 0;
        return isIts ? one : 0;
    }

    /** Who stored the nulls that have bits; the unknown one of all elements. */
    @Hidden
    private static int one(long place) {
        return U.getInt(null, place + SubsumeClockCache.ONE) & ~SubsumeClockCache.USED;
    }

    /** A node stored null in an element. */
    @DontInline
    @Hidden
    static void write(Object[] array, int index, int node) {
        long place = toWrite(array);
        if (place != 0) {
            writeAt(place, index, array.length, node);
            SubsumeClockCache.written(array, place);
        }
    }

    /** The place of an array, which it gets if it has none; 0 without memory. */
    @Hidden
    private static long toWrite(Object[] array) {
        long place = SubsumeClockCache.find(array);
        if (place == 0) {
            long given = SubsumeClockCache.give(array);
            // Another thread may have been first.
            place = given != 0 ? given : SubsumeClockCache.find(array);
        }
        if (place == 0 || place == SubsumeClockCache.LOST) {
            place = SubsumeOverflowArray.make(array, place == 0 ? 0 : SubsumeNulls.UNKNOWN);
        }
        return place;
    }

    /** Notes a node, or none. */
    @Hidden
    private static void writeAt(long place, int index, int length, int node) {
        while (true) {
            long bits = U.getLongVolatile(null, place + SubsumeClockCache.BITS);
            int block = (int) (bits >>> 32);
            if (block != 0) {
                SubsumeFreeLists.set(block, index, node);
                return;
            }
            if (length <= FEW && isOne(place, node)) {
                long bit = 1L << index;
                long changed = node == 0 ? bits & ~bit : bits | bit;
                if (changed == bits
                        || U.compareAndSetLong(null, place + SubsumeClockCache.BITS, bits, changed)) {
                    return;
                }
            } else if (node == 0 && one(place) == 0 || !expand(place, length, bits)) {
                return;
            }
        }
    }

    /** Whether a node is, or becomes now, the one that stored all nulls. None is always. */
    @Hidden
    private static boolean isOne(long place, int node) {
        int used = U.getInt(null, place + SubsumeClockCache.ONE);
        int one = used & ~SubsumeClockCache.USED;
        if (one == 0 && node != 0) {
            return U.compareAndSetInt(null, place + SubsumeClockCache.ONE, used, used | node);
        }
        return one == node || node == 0 && one != SubsumeNulls.UNKNOWN;
    }

    /** Makes the block; without memory nothing is known of any element, and false is returned. */
    @DontInline
    @Hidden
    private static boolean expand(long place, int length, long bits) {
        int made = SubsumeFreeLists.make(length);
        int one = one(place);
        if (made == 0) {
            U.putInt(null, place + SubsumeClockCache.ONE, SubsumeNulls.UNKNOWN | SubsumeClockCache.USED);
            SubsumeClockCache.forget();
            return false;
        }
        if (one == SubsumeNulls.UNKNOWN) {
            for (int i = 0; i < length; i++) {
                SubsumeFreeLists.set(made, i, one);
            }
        } else {
            for (int i = 0; i < FEW && i < length; i++) {
                SubsumeFreeLists.set(made, i, (bits >>> i & 1) != 0 ? one : 0);
            }
        }
        long changed = bits & BITS | (long) made << 32;
        if (!U.compareAndSetLong(null, place + SubsumeClockCache.BITS, bits, changed)) {
            SubsumeFreeLists.free(made);
        }
        return true;
    }

    /** Elements were stored by who was not seen. */
    @DontInline
    @Hidden
    static void forget(Object[] array, int start, int count) {
        long place = SubsumeClockCache.find(array);
        if (place != 0 && place != SubsumeClockCache.LOST) {
            for (int i = start; i < start + count; i++) {
                writeAt(place, i, array.length, 0);
            }
            SubsumeClockCache.written(array, place);
        }
    }

    /** A node has copied so many elements. */
    @DontInline
    @Hidden
    static void copy(Object[] from, int start, Object[] to, int end, int length, int node) {
        long read = SubsumeClockCache.find(from);
        long written = SubsumeClockCache.find(to);
        if (read == 0 && written == 0) {
            return;
        }
        // Within one array, nothing is to be read after it was written.
        boolean isBackwards = from == to && start < end;
        for (int i = 0; i < length; i++) {
            int at = isBackwards ? length - 1 - i : i;
            int writer = 0;
            if (read != 0 && to[end + at] == null) {
                writer = read == SubsumeClockCache.LOST
                        ? SubsumeNulls.UNKNOWN : writerAt(read, start + at);
            }
            if (writer != 0) {
                SubsumeNulls.flow(writer, node);
                if (written == 0 || written == SubsumeClockCache.LOST) {
                    written = toWrite(to);
                }
            }
            if (written != 0 && written != SubsumeClockCache.LOST) {
                writeAt(written, end + at, to.length, writer == 0 ? 0 : node);
            }
        }
        if (read != 0 && read != SubsumeClockCache.LOST) {
            SubsumeClockCache.written(from, read);
        }
        if (written != 0 && written != SubsumeClockCache.LOST) {
            SubsumeClockCache.written(to, written);
        }
    }
}
