package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Identity hashes of objects with tags. They come from blocks, each of which belongs to one tag, so a
 * hash tells the tag where the mark does not. Those of arrays may come from the {@link SubsumeClockCache}
 * instead.
 */
final class SubsumeHashes {
    private static final Unsafe U = Unsafe.getUnsafe();

    // Tables in the agent's memory; crates/instrument/src/dataflow/objects/tag_table.rs says what they hold.
    private static final long BLOCKS = SubsumeTags.table(SubsumeTags.TABLE_OF_BLOCKS);
    private static final long OWNERS = SubsumeTags.table(SubsumeTags.TABLE_OF_OWNERS);

    /** The bit of a hash that the JVM's own hashes do not have: they are numbers from 1 on. */
    static final int OWNED = 1 << 30;

    /** Bits of a hash that tell apart the objects in a block. */
    static final int BLOCK_BITS = 13;

    private static final int BLOCK_MASK = (1 << BLOCK_BITS) - 1;

    /** Bits of the number of a block. */
    private static final int NUMBER_MASK = (1 << 17) - 1;

    private SubsumeHashes() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return U != null;
    }

    /** The tag that a hash belongs to. */
    @ForceInline
    @Hidden
    static int ownerOf(int hash) {
        return U.getInt(null, OWNERS + ((hash >>> BLOCK_BITS & NUMBER_MASK) << 2));
    }

    /** The hash of an object with a tag, as the mark has it. Random numbers tell objects apart. */
    @ForceInline
    @Hidden
    static long inMark(int tag, int random) {
        int block = U.getInt(null, BLOCKS + ((long) tag << 2));
        long hash = block & ~BLOCK_MASK | block + random & BLOCK_MASK;
        return hash << SubsumeMark.HASH_SHIFT;
    }

    /** Objects with the tag were made: now and then the next ones get another block. */
    @ForceInline
    @Hidden
    static void moveOn(int tag, int objects) {
        if ((objects & 0x7FF) == 0) {
            SubsumeTags.nextBlock(tag);
        }
    }
}
