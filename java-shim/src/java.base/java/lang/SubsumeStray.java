package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * An array that has no place in the {@link SubsumeRing} but was written: it has one of its own, which
 * a table by identity leads to.
 */
final class SubsumeStray extends SubsumeWeak {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final int BITS = SubsumeRing.ON ? 12 : bitsOfTable();
    private static final SubsumeWeak[] TABLE = new SubsumeWeak[1 << BITS];

    /** A run of new places sweeps as much as so many strays would. */
    private static final int SWEEPS = 16;

    private static final int RECENT_BITS = SubsumeRing.ON ? 6 : 12;

    /** Those that were found lately: most of the table is of arrays that are gone already. */
    private static final SubsumeStray[] RECENT = new SubsumeStray[1 << RECENT_BITS];

    private static final long PLACE = U.objectFieldOffset(SubsumeStray.class, "place");

    /** The block that is its place; 0 once the array is gone. */
    private int place;

    private SubsumeStray() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return TABLE.length > 0;
    }

    /** The place of an array; 0 if it has none. */
    @ForceInline
    @Hidden
    static long of(Object array) {
        SubsumeStray found = RECENT[place(RECENT_BITS, array)];
        return found != null && found.isBeside(array) ? found.start() : search(array);
    }

    @Hidden
    private long start() {
        return SubsumeBlocks.start(place);
    }

    @DontInline
    @Hidden
    private static long search(Object array) {
        SubsumeStray found = (SubsumeStray) find(TABLE, BITS, array);
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
        int block = SubsumeBlocks.make(4);
        if (block == 0) {
            SubsumeRing.forget();
            return 0;
        }
        U.putInt(null, SubsumeBlocks.start(block) + SubsumeRing.ONE, one);
        try {
            SubsumeStray made = (SubsumeStray) allocate(SubsumeStray.class);
            made.place = block;
            if (sweep(TABLE)) {
                for (int i = 0; i < RECENT.length; i++) {
                    RECENT[i] = null;
                }
            }
            SubsumeStray kept = (SubsumeStray) put(TABLE, BITS, array, made);
            RECENT[place(RECENT_BITS, array)] = kept;
            if (kept != made) {
                SubsumeBlocks.free(block);
            }
            return kept.start();
        } catch (InstantiationException | OutOfMemoryError e) {
            SubsumeBlocks.free(block);
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
            SubsumeBlocks.free(U.getInt(null, SubsumeBlocks.start(block) + SubsumeRing.BLOCK));
            SubsumeBlocks.free(block);
        }
    }
}
