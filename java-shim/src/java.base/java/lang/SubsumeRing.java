package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Places for what is known of arrays, in a ring outside the Java heap.
 *
 * <p>A new array gets the next place. Its identity hash, and the bits between hash and tag in its
 * mark, say which place that is and in which lap of the ring it was given out; the place has the
 * upper half of that mark as its key. So an array leads to its place without a table, and nothing
 * has to be cleared when it dies.
 *
 * <p>A hand goes round in front of what is given out. A place that was used since the hand came by
 * last keeps its array, and the more often it did, the more laps it may stay unused; any other is
 * given to the next array. An array that is alive all the same has no last writers from then on,
 * which is counted when it is used. It never gets those of another one, but for what a thread writes
 * that had found the place of an unused array just when that was given away, and for arrays that are
 * locked, whose hash tells apart 64 laps only.
 *
 * <p>Where object headers are compact there is no room for laps, and no ring.
 */
final class SubsumeRing {
    static {
        bindNatives();
    }

    private static final Unsafe U = Unsafe.getUnsafe();

    // Byte offsets in a place.

    /** The upper half of the array's mark. */
    private static final int KEY = 0;

    /** Whoever has written all elements, and {@link #USED}. */
    static final int ONE = 4;

    /** A bit for each element; see {@link SubsumeElements}. */
    static final int BITS = 8;

    /** The number of a block of {@link SubsumeBlocks}. */
    static final int BLOCK = 12;

    private static final int LOG_OF_PLACE = 4;

    /** In {@link #ONE}: the place was used since the hand came by. */
    static final int USED = 1 << 31;

    // In a hash: the number of the place, and above it the lower bits of the lap.
    private static final int NUMBER_BITS = 24;
    private static final int LAP_BITS = 6;

    // In a mark.
    private static final int HASH_SHIFT = SubsumeTags.HASH_SHIFT;
    private static final int REST_SHIFT = HASH_SHIFT + 31;
    private static final int REST_BITS = SubsumeTags.TAG_SHIFT - REST_SHIFT;
    private static final long REST = (1L << SubsumeTags.TAG_SHIFT) - (1L << REST_SHIFT);

    /** The first lap. Its upper bits are not 0, so they tell these arrays from others. */
    private static final int FIRST_LAP = 1 << LAP_BITS;

    private static final int LAPS = (1 << LAP_BITS + REST_BITS) - FIRST_LAP;

    /** Binary logarithm of the places: they take a sixteenth of the heap at most. */
    private static final int LOG_OF_PLACES = logOfPlaces();

    private static final long NUMBER_MASK = (1L << LOG_OF_PLACES) - 1;

    /** Threads take so many places at once. The first one of these is never given out. */
    private static final int RUN = 256;

    private static final long STEP = 1L << HASH_SHIFT;
    private static final long RUN_MASK = (RUN - 1) * STEP;

    /** Address of the number of places that threads have taken. */
    private static final long HAND = REST_BITS > 0 ? memory(64 + (17L << LOG_OF_PLACES)) : 0;

    /**
     * A byte for each place: 0 if the hand has not come by since it was given out, else an odd
     * number, twice the laps that it may stay unused and 1.
     */
    private static final long AGES = HAND + 64;

    private static final long PLACES = AGES + (1L << LOG_OF_PLACES);

    /** Fifteen laps. */
    private static final int MOST_AGE = 31;

    /** Whether there is a ring. */
    static final boolean ON = SubsumeTags.HAS_PLACES && HAND != 0;

    private SubsumeRing() {
    }

    private static int logOfPlaces() {
        long heap = Runtime.getRuntime().maxMemory();
        // What collectors keep for themselves is not in it.
        int log = 55 - Long.numberOfLeadingZeros(heap + (heap >> 2));
        return Math.min(Math.max(log, 16), NUMBER_BITS);
    }

    /** Initialises the class. */
    static boolean isReady() {
        return LOG_OF_PLACES > 0;
    }

    /** The place of an array; 0 if it has none. */
    @ForceInline
    @Hidden
    static long of(Object array) {
        if (ON) {
            long mark = U.getLong(array, 0L);
            int key = (int) (mark >>> 32);
            long place = placeIn(mark);
            // The tag's highest bit is that of the sign.
            if (key < 0 && U.getInt(null, place + KEY) == key) {
                if (U.getInt(null, place + ONE) >= 0) {
                    use(place);
                }
                return place;
            }
        }
        return search(array);
    }

    @ForceInline
    @Hidden
    private static long placeIn(long mark) {
        return PLACES + ((mark >>> HASH_SHIFT & NUMBER_MASK) << LOG_OF_PLACE);
    }

    @DontInline
    @Hidden
    private static void use(long place) {
        int one = U.getInt(null, place + ONE);
        U.compareAndSetInt(null, place + ONE, one, one | USED);
    }

    /** The place of an array whose mark does not lead there. */
    @DontInline
    @Hidden
    private static long search(Object array) {
        if (ON) {
            // It may not have a tag yet, and gets a place with it.
            SubsumeTags.tag(array);
            long mark = U.getLong(array, 0L);
            long place = placeIn(mark);
            if (mark >= 0) {
                place = ofHash(System.identityHashCode(array));
            } else if (U.getInt(null, place + KEY) != (int) (mark >>> 32)) {
                place = 0;
                if ((mark & REST) != 0) {
                    SubsumeCosts.forget();
                }
            }
            if (place != 0) {
                use(place);
                return place;
            }
        }
        return SubsumeStray.of(array);
    }

    /** The place of an array that is locked; 0 if it has none. */
    @Hidden
    private static long ofHash(int hash) {
        long mark = (long) hash << HASH_SHIFT;
        long place = placeIn(mark);
        int laps = (int) ((long) (FIRST_LAP - 1) << NUMBER_BITS + HASH_SHIFT >>> 32);
        int key = U.getInt(null, place + KEY);
        boolean isIts = (hash & SubsumeTags.OWNED) != 0 && key < 0
                && ((key ^ (int) (mark >>> 32)) & laps) == 0;
        return isIts ? place : 0;
    }

    /** The tag of an array that is locked, by its hash; 0 if that does not tell it. */
    @Hidden
    static int tagOf(int hash) {
        long place = ofHash(hash);
        return place == 0 ? 0 : SubsumeTags.tagIn((long) U.getInt(null, place + KEY) << 32);
    }

    /** A place for a new array. Returns what its mark gets beside the tag. */
    @Hidden
    static long give(Thread thread, long tag) {
        long next = thread.$subsume$place;
        while (true) {
            if ((next & RUN_MASK) == 0) {
                next = takeRun() + STEP;
            }
            long given = next;
            next += STEP;
            long number = given >>> HASH_SHIFT & NUMBER_MASK;
            if (isFree(number)) {
                long place = PLACES + (number << LOG_OF_PLACE);
                empty(place, number);
                U.putInt(null, place + KEY, (int) ((given | tag) >>> 32));
                thread.$subsume$place = next;
                return given;
            }
        }
    }

    /** The hand comes by a place: true if it can be given out. */
    @ForceInline
    @Hidden
    private static boolean isFree(long number) {
        int one = U.getInt(null, PLACES + (number << LOG_OF_PLACE) + ONE);
        if (one >= 0 && U.getByte(null, AGES + number) <= 1) {
            return true;
        }
        keep(number, one);
        return false;
    }

    /** A place is kept for another lap. */
    @DontInline
    @Hidden
    private static void keep(long number, int one) {
        int age = U.getByte(null, AGES + number);
        if (one < 0) {
            U.compareAndSetInt(
                    null, PLACES + (number << LOG_OF_PLACE) + ONE, one, one & ~USED);
            age = age == 0 ? 1 : age >= MOST_AGE ? MOST_AGE : 2 * age + 1;
        } else {
            age -= 2;
        }
        U.putByte(null, AGES + number, (byte) age);
    }

    @ForceInline
    @Hidden
    private static void empty(long place, long number) {
        U.putInt(null, place + KEY, 0);
        if (U.getInt(null, place + BLOCK) != 0) {
            // Threads that have slept for a lap may be here, too.
            SubsumeBlocks.free(U.getAndSetInt(null, place + BLOCK, 0));
        }
        U.putLong(null, place, 0);
        U.putInt(null, place + BITS, 0);
        U.putByte(null, AGES + number, (byte) 0);
    }

    /** The next places for a thread: what the first one's mark gets. */
    @DontInline
    @Hidden
    private static long takeRun() {
        long taken = U.getAndAddLong(null, HAND, RUN);
        if (taken >>> LOG_OF_PLACES == 0) {
            SubsumeCosts.takeMemory(RUN * 17L);
        }
        long lap = FIRST_LAP + (taken >>> LOG_OF_PLACES) % LAPS;
        long hash = SubsumeTags.OWNED | (lap & FIRST_LAP - 1) << NUMBER_BITS | taken & NUMBER_MASK;
        return lap >>> LAP_BITS << REST_SHIFT | hash << HASH_SHIFT;
    }

    /** Moves the hand on, so that blocks become free. The places stay empty for a lap. */
    @Hidden
    static void hurry() {
        if (ON) {
            long first = takeRun() >>> HASH_SHIFT & NUMBER_MASK;
            for (long number = first + 1; number < first + RUN; number++) {
                if (isFree(number)) {
                    empty(PLACES + (number << LOG_OF_PLACE), number);
                }
            }
        }
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    /** Address of so many bytes that are 0 and take no memory until they are written; 0 without. */
    static native long memory(long bytes);
}
