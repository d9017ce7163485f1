package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The last writers of an array's elements; see {@link SubsumeCosts}.
 *
 * <p>As long as one node has written all elements at once, as {@code arraycopy} does, its number and
 * a bit for each element say it all. Any other store makes a table of writers. What other threads do
 * to the same elements meanwhile may be lost, as with the elements themselves.
 */
final class SubsumeElements extends SubsumeWeak {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final int BITS = bitsOfTable();
    private static final SubsumeWeak[] TABLE = new SubsumeWeak[1 << BITS];

    private static final int RECENT_BITS = 12;

    /** Those that were found lately: most of the table is of arrays that are gone already. */
    private static final SubsumeElements[] RECENT = new SubsumeElements[1 << RECENT_BITS];

    /** Larger arrays have one shadow for several neighbours. */
    private static final int MOST_WRITERS = 1 << 16;

    /** So many elements have their bits in {@link #read}. */
    private static final int FEW = 32;

    /** The last writer of each element, or of each group of neighbours; null if one wrote all. */
    private int[] writers;

    /** Whoever has written all elements, while there are no {@link #writers}. */
    private int one;

    /** Which of them have been read since, if there are few. */
    private int read;

    /** Likewise, if there are more; null if none has. */
    private long[] manyRead;

    private SubsumeElements() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return TABLE.length > 0;
    }

    /** Those of an array; null if it has none. */
    @ForceInline
    @Hidden
    static SubsumeElements of(Object array) {
        SubsumeElements found = RECENT[place(RECENT_BITS, array)];
        return found != null && found.isBeside(array) ? found : search(array);
    }

    @DontInline
    @Hidden
    private static SubsumeElements search(Object array) {
        SubsumeElements found = (SubsumeElements) find(TABLE, BITS, array);
        if (found != null) {
            RECENT[place(RECENT_BITS, array)] = found;
        }
        return found;
    }

    /** Those of an array, of which the caller may know them already. */
    @ForceInline
    @Hidden
    static SubsumeElements of(Object array, Object known) {
        return known != null ? (SubsumeElements) known : of(array);
    }

    /** Those of an array that is about to be written; null without memory. */
    @ForceInline
    @Hidden
    static SubsumeElements toWrite(Object array, Object known, int length) {
        SubsumeElements elements = of(array, known);
        return elements != null ? elements : make(array, length, 0);
    }

    @DontInline
    @Hidden
    private static SubsumeElements make(Object array, int length, int one) {
        try {
            SubsumeElements made = (SubsumeElements) allocate(SubsumeElements.class);
            if (one != 0) {
                made.one = one;
            } else {
                made.writers = new int[groups(length)];
            }
            if (sweep(TABLE)) {
                for (int i = 0; i < RECENT.length; i++) {
                    RECENT[i] = null;
                }
            }
            SubsumeElements kept = (SubsumeElements) put(TABLE, BITS, array, made);
            RECENT[place(RECENT_BITS, array)] = kept;
            if (one == 0 && kept == made) {
                noteShared(length);
            } else if (kept != made && one != 0) {
                kept.writeAll(length, one);
            }
            return kept;
        } catch (InstantiationException | OutOfMemoryError e) {
            return null;
        }
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

    @Hidden
    private static void noteShared(int length) {
        if (length > MOST_WRITERS) {
            SubsumeCosts.share(length);
        }
    }

    /** The shadow of an element. */
    @ForceInline
    @Hidden
    int writer(int index, int length) {
        int[] writers = this.writers;
        return writers != null ? writers[group(index, length)] : common(index, length);
    }

    @Hidden
    private int common(int index, int length) {
        return isRead(index, length) ? one | SubsumeCosts.READ : one;
    }

    @Hidden
    private boolean isRead(int index, int length) {
        if (length <= FEW) {
            return (read >>> index & 1) != 0;
        }
        long[] bits = manyRead;
        return bits != null && (bits[index >>> 6] >>> index & 1) != 0;
    }

    /** The element was read that had this shadow. */
    @ForceInline
    @Hidden
    void read(int index, int length, int writer) {
        int[] writers = this.writers;
        if (writers != null) {
            writers[group(index, length)] = writer | SubsumeCosts.READ;
        } else {
            readCommon(index, length);
        }
    }

    @Hidden
    private void readCommon(int index, int length) {
        if (length <= FEW) {
            read |= 1 << index;
            return;
        }
        long[] bits = manyRead;
        if (bits == null) {
            try {
                bits = new long[(length - 1 >>> 6) + 1];
            } catch (OutOfMemoryError e) {
                return;
            }
            publish();
            manyRead = bits;
        }
        bits[index >>> 6] |= 1L << index;
    }

    /** An element was written. */
    @ForceInline
    @Hidden
    void write(int index, int length, int writer) {
        int[] writers = this.writers;
        if (writers == null) {
            writers = expand(length);
        }
        if (writers != null) {
            writers[group(index, length)] = writer;
        }
    }

    /** Makes the table of writers; null without memory. */
    @DontInline
    @Hidden
    private int[] expand(int length) {
        try {
            int[] made = new int[groups(length)];
            for (int i = 0; i < length; i++) {
                made[group(i, length)] |= common(i, length);
            }
            publish();
            writers = made;
            manyRead = null;
            noteShared(length);
            return made;
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    /** What was written before is seen by whoever sees what is written from now on. */
    @Hidden
    private static void publish() {
        U.storeFence();
    }

    /**
     * Notes that elements were read, calling {@link SubsumeCosts#depend} for those that wrote them.
     */
    @Hidden
    void readRange(int start, int count, int length, int node) {
        int[] writers = this.writers;
        if (writers == null) {
            SubsumeCosts.depend(one, node);
            if (length <= FEW) {
                read |= -1 >>> FEW - count << start;
            } else {
                for (int i = start; i < start + count; i++) {
                    readCommon(i, length);
                }
            }
            return;
        }
        int last = 0;
        for (int i = group(start, length); i <= group(start + count - 1, length); i++) {
            int writer = writers[i];
            if (writer != 0) {
                if ((writer & ~SubsumeCosts.READ) != last) {
                    last = writer & ~SubsumeCosts.READ;
                    SubsumeCosts.depend(last, node);
                }
                writers[i] = writer | SubsumeCosts.READ;
            }
        }
    }

    /** A node wrote elements of an array. Returns how many had not been read since they were written. */
    @Hidden
    static long writeRange(Object array, int start, int count, int length, int node) {
        SubsumeElements known = of(array);
        if (count == length) {
            if (known == null) {
                make(array, length, node);
                return 0;
            }
            if (known.writers == null) {
                return known.writeAll(length, node);
            }
        } else if (known == null) {
            known = make(array, length, 0);
        }
        int[] writers = known == null ? null : known.writers;
        if (known != null && writers == null) {
            writers = known.expand(length);
        }
        if (writers == null) {
            return 0;
        }
        long overwritten = 0;
        for (int i = group(start, length); i <= group(start + count - 1, length); i++) {
            overwritten += writers[i] > 0 ? 1 : 0;
            writers[i] = node;
        }
        return overwritten;
    }

    /** A node wrote all elements. Returns how many had not been read since they were written. */
    @Hidden
    private long writeAll(int length, int node) {
        long overwritten = length;
        if (length <= FEW) {
            overwritten -= count(read & 0xFFFF_FFFFL);
        } else if (manyRead != null) {
            for (long bits : manyRead) {
                overwritten -= count(bits);
            }
        }
        read = 0;
        manyRead = null;
        one = node;
        return overwritten;
    }

    /** How many bits are set. What the JDK has for this would be recorded. */
    @Hidden
    private static int count(long bits) {
        int count = 0;
        for (long left = bits; left != 0; left &= left - 1) {
            count++;
        }
        return count;
    }
}
