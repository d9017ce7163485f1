package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * A CLOCK cache (second chance) outside the Java heap: each entry, called a place, keeps the last
 * writers of the elements of one array.
 *
 * <p>An array gets the next place: where costs are followed when it is made, where nulls are when
 * one is stored in it first. Its identity hash, and the bits between hash and tag in its mark, say
 * which place that is and in which epoch, which is a round of the hand, it was given out; the place
 * has the upper half of that mark as its key. So an array leads to its place without a table, and
 * nothing has to be cleared when the array dies.
 *
 * <p>Eviction: a hand goes round in front of the places that are given out. An array that used its
 * place since the hand came by last keeps it, and the more often it did, the more epochs the place
 * may stay unused; any other place is reclaimed for the next array. An array that is evicted and
 * still alive has no last writers from then on, which is counted when the array is used.
 *
 * <p>An evicted array must not read the last writers of the array that has its place now. The hand
 * takes the keys of a whole run of places, and only then looks which places were used meanwhile; a
 * user of a place marks it as used before looking at the key again. So only a thread that stops in
 * the midst of an access for a whole epoch may be at a place that has another array by then. That
 * thread looks at the key once more: what a load has read is dropped then; what was written, or read
 * for a copy, is counted. An array that is locked is found by its hash alone, which tells apart
 * {@link #FIRST_EPOCH} epochs, and so only in as many.
 *
 * <p>Where object headers are compact there is no room for epochs, and no cache.
 */
final class SubsumeClockCache {
    static {
        bindNatives();
    }

    private static final Unsafe U = Unsafe.getUnsafe();

    // Byte offsets in a place.

    /** The upper half of the array's mark. */
    private static final int KEY = 0;

    /** The last writer of all elements, and the bit {@link #USED}. */
    static final int ONE = 4;

    /** A bit for each element; see {@link SubsumeElements}. */
    static final int BITS = 8;

    /** The number of a block of {@link SubsumeFreeLists}. */
    static final int BLOCK = 12;

    private static final int LOG_OF_PLACE = 4;

    /** In {@link #ONE}: the place was used since the hand came by (the reference bit of CLOCK). */
    static final int USED = 1 << 31;

    // In a hash: the number of the place, and above it the lower bits of the epoch.
    private static final int NUMBER_BITS = 24;
    private static final int EPOCH_BITS = 6;

    // In a mark.
    private static final int HASH_SHIFT = SubsumeMark.HASH_SHIFT;
    private static final int REST_SHIFT = HASH_SHIFT + 31;
    private static final int REST_BITS = SubsumeMark.TAG_SHIFT - REST_SHIFT;
    private static final long REST = (1L << SubsumeMark.TAG_SHIFT) - (1L << REST_SHIFT);

    /** The number of the first epoch. Its upper bits are not 0, so they tell these arrays from others. */
    private static final int FIRST_EPOCH = 1 << EPOCH_BITS;

    private static final int EPOCHS = (1 << EPOCH_BITS + REST_BITS) - FIRST_EPOCH;

    /** Binary logarithm of the places: they take a sixteenth of the heap at most. */
    private static final int LOG_OF_PLACES = logOfPlaces();

    private static final long NUMBER_MASK = (1L << LOG_OF_PLACES) - 1;

    /** Threads take so many places at once. The first one of these is never given out. */
    private static final int RUN = 256;

    // Byte offsets among the counters; crates/profile/src/layout.rs says what they hold.
    private static final int SHARED_ELEMENTS = 8;
    private static final int FORGOTTEN = 16;
    private static final int BYTES = 24;
    private static final int MISPLACED = 32;

    private static final long STEP = 1L << HASH_SHIFT;
    private static final long RUN_MASK = (RUN - 1) * STEP;

    /** Address of the number of places that threads have taken. */
    private static final long HAND = REST_BITS > 0 ? memory(64 + (17L << LOG_OF_PLACES)) : 0;

    /**
     * A byte for each place: 0 if the hand has not come by since it was given out, else an odd
     * number, twice the epochs that it may stay unused and 1.
     */
    private static final long AGES = HAND + 64;

    private static final long PLACES = AGES + (1L << LOG_OF_PLACES);

    /** Fifteen epochs. */
    private static final int MOST_AGE = 31;

    /** Whether there is a cache. */
    static final boolean ON = SubsumeMark.HAS_PLACES && HAND != 0;

    /** Address of the counters of what is approximate, and of memory. */
    private static final long COUNTERS = counters();

    /** In place of a place: the array had one. */
    static final long LOST = -1;

    private SubsumeClockCache() {
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
            if (key < 0 && U.getInt(null, place + KEY) == key
                    && (U.getInt(null, place + ONE) < 0 || use(place, key))) {
                return place;
            }
        }
        return search(array);
    }

    /** The place that this mark leads to, if it is in use and nobody has to be told; else 0. */
    @ForceInline
    @Hidden
    static long inUse(long mark) {
        if (ON && SubsumeMark.isTagged(mark)) {
            long place = placeIn(mark);
            if (isStill(place, mark) && U.getInt(null, place + ONE) < 0) {
                return place;
            }
        }
        return 0;
    }

    /** Whether a place is that of an array with this mark. */
    @ForceInline
    @Hidden
    static boolean isStill(long place, long mark) {
        return U.getInt(null, place + KEY) == (int) (mark >>> 32);
    }

    @ForceInline
    @Hidden
    private static long placeIn(long mark) {
        return PLACES + ((mark >>> HASH_SHIFT & NUMBER_MASK) << LOG_OF_PLACE);
    }

    /** A place is used; false if it was taken away meanwhile. */
    @DontInline
    @Hidden
    private static boolean use(long place, int key) {
        int one = U.getInt(null, place + ONE);
        while (one >= 0 && !U.compareAndSetInt(null, place + ONE, one, one | USED)) {
            one = U.getInt(null, place + ONE);
        }
        return U.getInt(null, place + KEY) == key;
    }

    /** The place of an array whose mark does not lead there. */
    @DontInline
    @Hidden
    private static long search(Object array) {
        if (ON) {
            // It may not have a tag yet, and gets a place with it.
            SubsumeTags.tag(array);
        }
        long place = find(array);
        return place == LOST ? 0 : place;
    }

    /** The place of an array; 0 if it never had one, {@link #LOST} if it has none any more. */
    @Hidden
    static long find(Object array) {
        long mark = U.getLong(array, 0L);
        boolean hadPlace = false;
        if (ON) {
            int key = (int) (mark >>> 32);
            long place = placeIn(mark);
            hadPlace = key < 0 && (mark & REST) != 0;
            if (key >= 0 && SubsumeMark.isLocked(mark)) {
                int hash = System.identityHashCode(array);
                hadPlace = (hash & SubsumeHashes.OWNED) != 0;
                place = hadPlace ? ofHash(hash) : 0;
                key = place == 0 ? 0 : U.getInt(null, place + KEY);
            }
            if (key < 0 && U.getInt(null, place + KEY) == key && use(place, key)) {
                return place;
            }
        }
        long place = SubsumeMark.hasNoHash(mark) ? 0 : SubsumeOverflowArray.of(array);
        if (place == 0 && hadPlace) {
            forget();
            return LOST;
        }
        return place;
    }

    /** The place of an array that is locked; 0 if it has none, or that is not sure. */
    @Hidden
    private static long ofHash(int hash) {
        long mark = (long) hash << HASH_SHIFT;
        long place = placeIn(mark);
        int epochs = (int) ((long) (FIRST_EPOCH - 1) << NUMBER_BITS + HASH_SHIFT >>> 32);
        int key = U.getInt(null, place + KEY);
        boolean isIts = (hash & SubsumeHashes.OWNED) != 0 && key < 0
                && ((key ^ (int) (mark >>> 32)) & epochs) == 0
                && U.getLong(null, HAND) >>> LOG_OF_PLACES < FIRST_EPOCH;
        return isIts ? place : 0;
    }

    /** Behind a look at the place of an array: whether it was its own until now. */
    @ForceInline
    @Hidden
    static boolean isStill(Object array, long place) {
        return !ON || isStill(place, U.getLong(array, 0L)) || isFoundAgain(array, place);
    }

    /** The array is locked, or has its place elsewhere, or none. */
    @DontInline
    @Hidden
    private static boolean isFoundAgain(Object array, long place) {
        return find(array) == place;
    }

    /** Behind what was written there: if it is another's by now, that is counted. */
    @ForceInline
    @Hidden
    static void written(Object array, long place) {
        if (!isStill(array, place)) {
            misplace();
        }
    }

    @DontInline
    @Hidden
    private static void misplace() {
        U.getAndAddLong(null, COUNTERS + MISPLACED, 1);
    }

    /** The tag of an array that is locked, by its hash; 0 if that does not tell it. */
    @Hidden
    static int tagOf(int hash) {
        long place = ofHash(hash);
        return place == 0 ? 0 : SubsumeMark.tagIn((long) U.getInt(null, place + KEY) << 32);
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
            long place = placeIn(given);
            // Its key was taken, and nobody had begun to use it.
            if (U.getInt(null, place + KEY) == 0 && U.getInt(null, place + ONE) >= 0) {
                empty(place);
                U.storeFence();
                U.putInt(null, place + KEY, (int) ((given | tag) >>> 32));
                thread.$subsume$place = next;
                return given;
            }
        }
    }

    /** A place for an array that has none, and no tag either; 0 if its mark has no room. */
    @Hidden
    static long give(Object array) {
        while (ON) {
            long mark = U.getLong(array, 0L);
            if (!SubsumeMark.hasNoHash(mark)) {
                return 0;
            }
            long given = give(Thread.currentThread(), SubsumeMark.TAGGED);
            if (U.compareAndSetLong(array, 0L, mark, mark | SubsumeMark.TAGGED | given)) {
                long place = placeIn(given);
                return use(place, (int) ((given | SubsumeMark.TAGGED) >>> 32)) ? place : 0;
            }
        }
        return 0;
    }

    /** The hand comes by a place: true if its array is to lose it. */
    @ForceInline
    @Hidden
    private static boolean isIdle(long number) {
        int one = U.getInt(null, PLACES + (number << LOG_OF_PLACE) + ONE);
        if (one >= 0 && U.getByte(null, AGES + number) <= 1) {
            return true;
        }
        keep(number, one);
        return false;
    }

    /** A place is kept for another epoch. */
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
    private static void empty(long place) {
        if (U.getInt(null, place + BLOCK) != 0) {
            SubsumeFreeLists.free(U.getAndSetInt(null, place + BLOCK, 0));
        }
        U.putInt(null, place + ONE, 0);
        U.putInt(null, place + BITS, 0);
    }

    /** The next places for a thread, those without a key: what the first one's mark gets. */
    @DontInline
    @Hidden
    private static long takeRun() {
        long taken = U.getAndAddLong(null, HAND, RUN);
        if (taken >>> LOG_OF_PLACES == 0) {
            takeMemory(RUN * 17L);
        } else {
            takeKeys(taken & NUMBER_MASK);
        }
        SubsumeOverflowArray.sweepSome();
        long epoch = FIRST_EPOCH + (taken >>> LOG_OF_PLACES) % EPOCHS;
        long hash = SubsumeHashes.OWNED | (epoch & FIRST_EPOCH - 1) << NUMBER_BITS | taken & NUMBER_MASK;
        return epoch >>> EPOCH_BITS << REST_SHIFT | hash << HASH_SHIFT;
    }

    /** Takes the keys of idle places from this number on. */
    @Hidden
    private static void takeKeys(long first) {
        for (long number = first + 1; number < first + RUN; number++) {
            if (isIdle(number)) {
                U.putInt(null, PLACES + (number << LOG_OF_PLACE) + KEY, 0);
                U.putByte(null, AGES + number, (byte) 0);
            }
        }
        // A thread that does not see these stores has marked its place as used before.
        U.fullFence();
    }

    /** Moves the hand on, so that blocks become free. The places stay empty for a epoch. */
    @Hidden
    static void hurry() {
        if (ON) {
            long first = takeRun() >>> HASH_SHIFT & NUMBER_MASK;
            for (long number = first + 1; number < first + RUN; number++) {
                long place = PLACES + (number << LOG_OF_PLACE);
                if (U.getInt(null, place + KEY) == 0 && U.getInt(null, place + ONE) >= 0) {
                    empty(place);
                }
            }
        }
    }

    /** Last writers of elements take more memory. */
    @Hidden
    static void takeMemory(long bytes) {
        U.getAndAddLong(null, COUNTERS + BYTES, bytes);
    }

    /** An array of this length has one last writer for several elements. */
    @Hidden
    static void share(int length) {
        U.getAndAddLong(null, COUNTERS, 1);
        U.getAndAddLong(null, COUNTERS + SHARED_ELEMENTS, length);
    }

    /** An array is used whose last writers were given up. */
    @Hidden
    static void forget() {
        U.getAndAddLong(null, COUNTERS + FORGOTTEN, 1);
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    /** Address of so many bytes that are 0 and take no memory until they are written; 0 without. */
    static native long memory(long bytes);

    /** Address of the counters of what is approximate about last writers of elements. */
    private static native long counters();
}
