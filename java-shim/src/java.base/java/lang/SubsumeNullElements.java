package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The nodes that stored null in an array's elements last; see {@link SubsumeNulls}. Arrays in which
 * nobody stores null have none; others have a place in the {@link SubsumeRing}, or elsewhere.
 *
 * <p>As long as one node stored all nulls of a short array, its number and a bit for each element say
 * it all. Any other store makes a block with a node for each element. Both change by comparing and
 * swapping, so threads that store in different elements at once lose nothing.
 */
final class SubsumeNullElements {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** So many elements have bits. */
    private static final int FEW = 32;

    /** Of a number that holds the bits and the block: the bits. */
    private static final long BITS = 0xFFFF_FFFFL;

    private SubsumeNullElements() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return FEW > 0 && SubsumeRing.isReady() && SubsumeBlocks.isReady() && SubsumeStray.isReady();
    }

    /** Who stored null in an element last; 0 if nobody was seen to. */
    @Hidden
    static int writer(Object[] array, int index) {
        long place = SubsumeRing.find(array);
        if (place == 0 || place == SubsumeRing.LOST) {
            return place == 0 ? 0 : SubsumeNulls.UNKNOWN;
        }
        int writer = writerAt(place, index);
        return SubsumeRing.isStill(array, place) ? writer : SubsumeNulls.UNKNOWN;
    }

    @Hidden
    private static int writerAt(long place, int index) {
        int block = U.getInt(null, place + SubsumeRing.BLOCK);
        if (block != 0) {
            return SubsumeBlocks.get(block, index);
        }
        int one = one(place);
        boolean isIts = one == SubsumeNulls.UNKNOWN
                || index < FEW && (U.getInt(null, place + SubsumeRing.BITS) >>> index & 1) != 0;
        return isIts ? one : 0;
    }

    /** Who stored the nulls that have bits; the unknown one of all elements. */
    @Hidden
    private static int one(long place) {
        return U.getInt(null, place + SubsumeRing.ONE) & ~SubsumeRing.USED;
    }

    /** A node stored null in an element. */
    @DontInline
    @Hidden
    static void write(Object[] array, int index, int node) {
        long place = toWrite(array);
        if (place != 0) {
            writeAt(place, index, array.length, node);
            SubsumeRing.written(array, place);
        }
    }

    /** The place of an array, which it gets if it has none; 0 without memory. */
    @Hidden
    private static long toWrite(Object[] array) {
        long place = SubsumeRing.find(array);
        if (place == 0) {
            long given = SubsumeRing.give(array);
            // Another thread may have been first.
            place = given != 0 ? given : SubsumeRing.find(array);
        }
        if (place == 0 || place == SubsumeRing.LOST) {
            place = SubsumeStray.make(array, place == 0 ? 0 : SubsumeNulls.UNKNOWN);
        }
        return place;
    }

    /** Notes a node, or none. */
    @Hidden
    private static void writeAt(long place, int index, int length, int node) {
        while (true) {
            long bits = U.getLongVolatile(null, place + SubsumeRing.BITS);
            int block = (int) (bits >>> 32);
            if (block != 0) {
                SubsumeBlocks.set(block, index, node);
                return;
            }
            if (length <= FEW && isOne(place, node)) {
                long bit = 1L << index;
                long changed = node == 0 ? bits & ~bit : bits | bit;
                if (changed == bits
                        || U.compareAndSetLong(null, place + SubsumeRing.BITS, bits, changed)) {
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
        int used = U.getInt(null, place + SubsumeRing.ONE);
        int one = used & ~SubsumeRing.USED;
        if (one == 0 && node != 0) {
            return U.compareAndSetInt(null, place + SubsumeRing.ONE, used, used | node);
        }
        return one == node || node == 0 && one != SubsumeNulls.UNKNOWN;
    }

    /** Makes the block; without memory nothing is known of any element, and false is returned. */
    @DontInline
    @Hidden
    private static boolean expand(long place, int length, long bits) {
        int made = SubsumeBlocks.make(length);
        int one = one(place);
        if (made == 0) {
            U.putInt(null, place + SubsumeRing.ONE, SubsumeNulls.UNKNOWN | SubsumeRing.USED);
            SubsumeRing.forget();
            return false;
        }
        if (one == SubsumeNulls.UNKNOWN) {
            for (int i = 0; i < length; i++) {
                SubsumeBlocks.set(made, i, one);
            }
        } else {
            for (int i = 0; i < FEW && i < length; i++) {
                SubsumeBlocks.set(made, i, (bits >>> i & 1) != 0 ? one : 0);
            }
        }
        long changed = bits & BITS | (long) made << 32;
        if (!U.compareAndSetLong(null, place + SubsumeRing.BITS, bits, changed)) {
            SubsumeBlocks.free(made);
        }
        return true;
    }

    /** Elements were stored by who was not seen. */
    @DontInline
    @Hidden
    static void forget(Object[] array, int start, int count) {
        long place = SubsumeRing.find(array);
        if (place != 0 && place != SubsumeRing.LOST) {
            for (int i = start; i < start + count; i++) {
                writeAt(place, i, array.length, 0);
            }
            SubsumeRing.written(array, place);
        }
    }

    /** A node has copied so many elements. */
    @DontInline
    @Hidden
    static void copy(Object[] from, int start, Object[] to, int end, int length, int node) {
        long read = SubsumeRing.find(from);
        long written = SubsumeRing.find(to);
        if (read == 0 && written == 0) {
            return;
        }
        // Within one array, nothing is to be read after it was written.
        boolean isBackwards = from == to && start < end;
        for (int i = 0; i < length; i++) {
            int at = isBackwards ? length - 1 - i : i;
            int writer = 0;
            if (read != 0 && to[end + at] == null) {
                writer = read == SubsumeRing.LOST
                        ? SubsumeNulls.UNKNOWN : writerAt(read, start + at);
            }
            if (writer != 0) {
                SubsumeNulls.flow(writer, node);
                if (written == 0 || written == SubsumeRing.LOST) {
                    written = toWrite(to);
                }
            }
            if (written != 0 && written != SubsumeRing.LOST) {
                writeAt(written, end + at, to.length, writer == 0 ? 0 : node);
            }
        }
        if (read != 0 && read != SubsumeRing.LOST) {
            SubsumeRing.written(from, read);
        }
        if (written != 0 && written != SubsumeRing.LOST) {
            SubsumeRing.written(to, written);
        }
    }
}
