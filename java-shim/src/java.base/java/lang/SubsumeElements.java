package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The last writers of an array's elements, at its place in the {@link SubsumeClockCache} or elsewhere; see
 * {@link SubsumeCosts}.
 *
 * <p>As long as one node has written all elements at once, as {@code arraycopy} does, its number and
 * a bit for each element say it all. Any other store makes a block of writers. What other threads do
 * to the same elements meanwhile may be lost, as with the elements themselves.
 */
final class SubsumeElements {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Larger arrays have one shadow for several neighbours. */
    private static final int MOST_WRITERS = 1 << 16;

    /** Arrays up to this length have the bits that say what was read in their place itself. */
    private static final int FEW = 32;

    /** In the number of a block: it holds such bits, and not writers. */
    static final int READ_BITS = 1 << 31;

    private SubsumeElements() {
    }

    /** The place of an array that is about to be written; 0 without memory. */
    @ForceInline
    @Hidden
    static long toWrite(Object array) {
        long place = SubsumeClockCache.of(array);
        return place != 0 ? place : SubsumeOverflowArray.make(array, 0);
    }

    /** Where the shadow of an element is among those of an array of this length. */
    @ForceInline
    @Hidden
    private static int group(int index, int length) {
        return length <= MOST_WRITERS ? index : index >>> shift(length);
    }

    @Hidden
    private static int shift(int length) {
        int shift = 0;
        while (length - 1 >>> shift >= MOST_WRITERS) {
            shift++;
        }
        return shift;
    }

    @Hidden
    private static int groups(int length) {
        return length == 0 ? 0 : group(length - 1, length) + 1;
    }

    @ForceInline
    @Hidden
    private static int block(long place) {
        return U.getInt(null, place + SubsumeClockCache.BLOCK);
    }

    /** The node that has written all elements, while there is no block of writers. */
    @ForceInline
    @Hidden
    private static int one(long place) {
        return U.getInt(null, place + SubsumeClockCache.ONE) & ~SubsumeClockCache.USED;
    }

    /** The shadow of an element. */
    @ForceInline
    @Hidden
    static int writer(long place, int index, int length) {
        int block = block(place);
        return block > 0 ? SubsumeFreeLists.get(block, group(index, length)) : common(place, index, length);
    }

    @Hidden
    private static int common(long place, int index, int length) {
        int one = one(place);
        return one != 0 && isRead(place, index, length) ? one | SubsumeCosts.READ : one;
    }

    @Hidden
    private static boolean isRead(long place, int index, int length) {
        if (length <= FEW) {
            return (U.getInt(null, place + SubsumeClockCache.BITS) >>> index & 1) != 0;
        }
        int block = block(place);
        return block < 0 && (SubsumeFreeLists.get(block & ~READ_BITS, index >>> 5) >>> index & 1) != 0;
    }

    /** The element was read that had this shadow. */
    @ForceInline
    @Hidden
    static void read(long place, int index, int length, int writer) {
        int block = block(place);
        if (block > 0) {
            SubsumeFreeLists.set(block, group(index, length), writer | SubsumeCosts.READ);
        } else {
            readCommon(place, index, length);
        }
    }

    @Hidden
    private static void readCommon(long place, int index, int length) {
        if (length <= FEW) {
            int bits = U.getInt(null, place + SubsumeClockCache.BITS);
            U.putInt(null, place + SubsumeClockCache.BITS, bits | 1 << index);
            return;
        }
        int bits = readBits(place, length);
        if (bits != 0) {
            SubsumeFreeLists.set(bits, index >>> 5, SubsumeFreeLists.get(bits, index >>> 5) | 1 << index);
        }
    }

    /** Elements were read of an array that has more than {@link #FEW}, and no block of writers. */
    @Hidden
    private static void readCommonRange(long place, int start, int count, int length) {
        int bits = readBits(place, length);
        if (bits != 0) {
            int last = start + count - 1;
            for (int word = start >>> 5; word <= last >>> 5; word++) {
                int from = word == start >>> 5 ? -1 << start : -1;
                int to = word == last >>> 5 ? -1 >>> 31 - last : -1;
                SubsumeFreeLists.set(bits, word, SubsumeFreeLists.get(bits, word) | from & to);
            }
        }
    }

    /** The block with a bit for each element; 0 if there is none, or one of writers by now. */
    @ForceInline
    @Hidden
    private static int readBits(long place, int length) {
        int block = block(place);
        if (block == 0) {
            block = keepBits(place, length);
        }
        return block < 0 ? block & ~READ_BITS : 0;
    }

    /** Makes room for a bit for each element. */
    @DontInline
    @Hidden
    private static int keepBits(long place, int length) {
        int made = SubsumeFreeLists.make((length - 1 >>> 5) + 1);
        return made == 0 ? 0 : publish(place, 0, made | READ_BITS);
    }

    /** Puts a block in place of another. Returns the one that is there. */
    @Hidden
    private static int publish(long place, int before, int made) {
        U.storeFence();
        if (U.compareAndSetInt(null, place + SubsumeClockCache.BLOCK, before, made)) {
            return made;
        }
        SubsumeFreeLists.free(made);
        return block(place);
    }

    /** An element was written. */
    @ForceInline
    @Hidden
    static void write(long place, int index, int length, int writer) {
        int block = block(place);
        if (block <= 0) {
            block = expand(place, length);
        }
        if (block > 0) {
            SubsumeFreeLists.set(block, group(index, length), writer);
        }
    }

    /** Makes the block of writers; without memory nothing is known of any element. */
    @DontInline
    @Hidden
    private static int expand(long place, int length) {
        int before = block(place);
        int made = SubsumeFreeLists.make(groups(length));
        if (made == 0) {
            U.putInt(null, place + SubsumeClockCache.ONE, SubsumeClockCache.USED);
            SubsumeClockCache.forget();
            return 0;
        }
        if (one(place) != 0) {
            for (int i = 0; i < length; i++) {
                int group = group(i, length);
                int writer = SubsumeFreeLists.get(made, group) | common(place, i, length);
                SubsumeFreeLists.set(made, group, writer);
            }
        }
        int kept = publish(place, before, made);
        if (kept == made) {
            // Others may still be using the bits.
            SubsumeFreeLists.tie(made, before & ~READ_BITS);
            if (length > MOST_WRITERS) {
                SubsumeClockCache.share(length);
            }
        }
        return kept;
    }

    /**
     * Notes that elements were read, calling {@link SubsumeCosts#depend} for those that wrote them.
     */
    @Hidden
    static void readRange(long place, int start, int count, int length, int node) {
        int block = block(place);
        if (block <= 0) {
            int one = one(place);
            if (one == 0) {
                return;
            }
            SubsumeCosts.depend(one, node);
            if (length <= FEW) {
                int bits = U.getInt(null, place + SubsumeClockCache.BITS);
                U.putInt(null, place + SubsumeClockCache.BITS, bits | -1 >>> FEW - count << start);
            } else {
                readCommonRange(place, start, count, length);
            }
            return;
        }
        int last = 0;
        for (int i = group(start, length); i <= group(start + count - 1, length); i++) {
            int writer = SubsumeFreeLists.get(block, i);
            if (writer != 0) {
                if ((writer & ~SubsumeCosts.READ) != last) {
                    last = writer & ~SubsumeCosts.READ;
                    SubsumeCosts.depend(last, node);
                }
                SubsumeFreeLists.set(block, i, writer | SubsumeCosts.READ);
            }
        }
    }

    /** A node wrote elements of an array. Returns how many had not been read since they were written. */
    @Hidden
    static long writeRange(Object array, int start, int count, int length, int node) {
        long place = toWrite(array);
        if (place == 0) {
            return 0;
        }
        int block = block(place);
        if (block <= 0) {
            if (count == length) {
                long overwritten = writeAll(place, length, node);
                SubsumeClockCache.written(array, place);
                return overwritten;
            }
            block = expand(place, length);
        }
        long overwritten = 0;
        if (block > 0) {
            for (int i = group(start, length); i <= group(start + count - 1, length); i++) {
                overwritten += SubsumeFreeLists.get(block, i) > 0 ? 1 : 0;
                SubsumeFreeLists.set(block, i, node);
            }
        }
        SubsumeClockCache.written(array, place);
        return overwritten;
    }

    /** Elements were written, and nobody knows by whom. */
    @Hidden
    static void forget(long place, int start, int count, int length) {
        int block = block(place);
        if (block <= 0) {
            if (one(place) == 0) {
                return;
            }
            block = expand(place, length);
        }
        if (block > 0) {
            for (int i = group(start, length); i <= group(start + count - 1, length); i++) {
                SubsumeFreeLists.set(block, i, 0);
            }
        }
    }

    /** A node wrote all elements. Returns how many had not been read since they were written. */
    @Hidden
    private static long writeAll(long place, int length, int node) {
        long overwritten = one(place) == 0 ? 0 : length;
        int bits = block(place) & ~READ_BITS;
        if (length <= FEW) {
            overwritten -= count(U.getInt(null, place + SubsumeClockCache.BITS));
            U.putInt(null, place + SubsumeClockCache.BITS, 0);
        } else if (bits != 0) {
            for (int i = 0; i <= length - 1 >>> 5; i++) {
                overwritten -= count(SubsumeFreeLists.get(bits, i));
                SubsumeFreeLists.set(bits, i, 0);
            }
        }
        U.putInt(null, place + SubsumeClockCache.ONE, node | SubsumeClockCache.USED);
        return overwritten < 0 ? 0 : overwritten;
    }

    /** How many bits are set. What the JDK has for this would be recorded. */
    @Hidden
    private static int count(int bits) {
        int count = 0;
        for (int left = bits; left != 0; left &= left - 1) {
            count++;
        }
        return count;
    }
}
