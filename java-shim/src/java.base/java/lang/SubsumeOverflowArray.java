package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The entry of an array that was written and has no place in the {@link SubsumeClockCache}, in a weak
 * identity map: it leads to a place of the array's own.
 */
final class SubsumeOverflowArray extends SubsumeWeakEntry {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final int BITS = SubsumeClockCache.ON ? 12 : bitsOfTable();
    private static final SubsumeWeakEntry[] TABLE = new SubsumeWeakEntry[1 << BITS];

    /** A run of new places sweeps as much as so many new entries would. */
    private static final int SWEEPS = 16;

    private static final int RECENT_BITS = SubsumeClockCache.ON ? 6 : 12;

    /** Those that were found lately: most of the table is of arrays that are gone already. */
    private static final SubsumeOverflowArray[] RECENT = new SubsumeOverflowArray[1 << RECENT_BITS];

    private static final long PLACE = U.objectFieldOffset(SubsumeOverflowArray.class, "place");

    /** The block that is its place; 0 once the array is gone. */
    private int place;

    private SubsumeOverflowArray() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return TABLE.length > 0;
    }

    /** The place of an array; 0 if it has none. */
    @ForceInline
    @Hidden
    static long of(Object array) {
        SubsumeOverflowArray found = RECENT[place(RECENT_BITS, array)];
        return found != null && found.isBeside(array) ? found.start() : search(array);
    }

    @Hidden
    private long start() {
        return SubsumeFreeLists.start(place);
    }

    @DontInline
    @Hidden
    private static long search(Object array) {
        SubsumeOverflowArray found = (SubsumeOverflowArray) find(TABLE, BITS, array);
        if (found == null) {
            return 0;
        }
        RECENT[place(RECENT_BITS, array)] = found;
        return found.start();
    }

    /** A place for an array that has none, with who has written all elements; 0 without memory. */
    @DontInline
    @Hidden
    static long make(Object array, int one) {
        int block = SubsumeFreeLists.make(4);
        if (block == 0) {
            SubsumeClockCache.forget();
            return 0;
        }
        U.putInt(null, SubsumeFreeLists.start(block) + SubsumeClockCache.ONE, one);
        try {
            SubsumeOverflowArray made = (SubsumeOverflowArray) allocate(SubsumeOverflowArray.class);
            made.place = block;
            if (sweep(TABLE)) {
                for (int i = 0; i < RECENT.length; i++) {
                    RECENT[i] = null;
                }
            }
            SubsumeOverflowArray kept = (SubsumeOverflowArray) put(TABLE, BITS, array, made);
            RECENT[place(RECENT_BITS, array)] = kept;
            if (kept != made) {
                SubsumeFreeLists.free(block);
            }
            return kept.start();
        } catch (InstantiationException | OutOfMemoryError e) {
            SubsumeFreeLists.free(block);
            return 0;
        }
    }

    /** Drops some of those whose arrays are gone, as {@link #make} does. */
    @Hidden
    static void sweepSome() {
        try {
            for (int i = 0; i < SWEEPS; i++) {
                sweep(TABLE);
            }
        } catch (InstantiationException | OutOfMemoryError e) {
            // Then they stay for now.
        }
    }

    @Hidden
    @Override
    void drop() {
        int block = U.getAndSetInt(this, PLACE, 0);
        if (block != 0) {
            SubsumeFreeLists.free(U.getInt(null, SubsumeFreeLists.start(block) + SubsumeClockCache.BLOCK));
            SubsumeFreeLists.free(block);
        }
    }
}
