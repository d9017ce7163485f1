package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Objects that nobody saw being made: those of a class have one tag, that of its untracked site. They
 * get it when somebody asks for it first.
 */
final class SubsumeUntracked {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Tags by class, in the agent's memory; see crates/instrument/src/dataflow/objects/tag_table.rs. */
    private static final long TAGS = SubsumeTags.table(SubsumeTags.TABLE_OF_UNTRACKED);

    /** Bits of a place in it. */
    private static final int PLACE_BITS = 12;

    /** Objects that got their tags here, so far: their hashes differ. */
    private static int found;

    private SubsumeUntracked() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return U != null;
    }

    /** The tag of all objects of this one's class of which nobody saw how they were made. */
    @Hidden
    static int tagOf(Object object, long mark) {
        long type = SubsumeMark.typeOf(object, mark);
        long place = TAGS + (type * 0x9E37_79B9_7F4A_7C15L >>> 64 - PLACE_BITS << 3);
        long entry = U.getLong(null, place);
        if (entry >>> SubsumeMark.TAG_BITS == type) {
            return (int) entry & SubsumeMark.TAG_MASK;
        }
        int tag = SubsumeTags.untrackedTag(object);
        if (tag >= 0) {
            // The class will not be unloaded, so its address stays its own.
            U.putLong(null, place, type << SubsumeMark.TAG_BITS | tag);
        }
        return tag & SubsumeMark.TAG_MASK;
    }

    /** Gives an object without a tag that one, and returns which it has then. */
    @Hidden
    static int adopt(Object object, long mark) {
        int tag = tagOf(object, mark);
        // Threads may lose a step; then two objects have one hash.
        int number = ++found;
        SubsumeHashes.moveOn(tag, number);
        int ofName = object instanceof Class<?> type ? SubsumeTags.hashOfName(type) : 0;
        return attach(object, tag, ofName != 0 ? ofName : number) ? tag : SubsumeTags.tag(object);
    }

    /** Gives an object a tag that others may try to give it, too; false if they were first. */
    @Hidden
    private static boolean attach(Object object, int tag, int random) {
        while (true) {
            long mark = U.getLong(object, 0L);
            if (SubsumeMark.isTagged(mark)) {
                return false;
            }
            boolean hasHash = !SubsumeMark.hasNoHash(mark);
            if (SubsumeMark.isLocked(mark) || SubsumeMark.COMPACT && hasHash) {
                // It stays without one, and is found by its class next time.
                return true;
            }
            long bits = SubsumeMark.tagBits(tag);
            long tagged = mark | bits;
            if (!hasHash) {
                tagged |= SubsumeTags.hasPlace(object)
                        ? SubsumeClockCache.give(Thread.currentThread(), bits)
                        : SubsumeHashes.inMark(tag, random);
            }
            if (U.compareAndSetLong(object, 0L, mark, tagged)) {
                return true;
            }
        }
    }
}
