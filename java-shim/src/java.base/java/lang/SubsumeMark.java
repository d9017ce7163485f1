package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The first word of an object's header, which HotSpot calls the mark, as this JVM has it: where the
 * lock is, the identity hash, the class if headers are compact, and above them the tag if they are
 * not.
 */
final class SubsumeMark {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Whether the mark holds the class. */
    static final boolean COMPACT = (SubsumeTags.headers() & SubsumeTags.COMPACT) != 0;

    /** Whether the class behind the mark takes four bytes. */
    private static final boolean NARROW_CLASS = (SubsumeTags.headers() & SubsumeTags.NARROW_CLASSES) != 0;

    static final int HASH_SHIFT = hashShift();

    static final int TAG_BITS = 17;
    static final int TAG_MASK = (1 << TAG_BITS) - 1;

    /** Where a tag is. */
    static final int TAG_SHIFT = 46;

    /** The bit that says that there is a tag, in the mark or in its hash. */
    static final long TAGGED =
            COMPACT ? (long) SubsumeHashes.OWNED << HASH_SHIFT : 1L << TAG_SHIFT + TAG_BITS;

    /**
     * The bit that says that a reference to the object was stored somewhere, if it has a tag. Nobody
     * else uses it: it is the one below the tag, or below the hash, where headers are compact. It is kept
     * like the tag, because there is a hash.
     */
    static final long ASSIGNED = 1L << (COMPACT ? HASH_SHIFT : TAG_SHIFT) - 1;

    /** Whether arrays have places in the {@link SubsumeClockCache}; their hashes are not from blocks then. */
    static final boolean HAS_PLACES =
            !COMPACT && HASH_SHIFT > 0 && (SubsumeTags.headers() & SubsumeTags.ARRAYS_HAVE_PLACES) != 0;

    private static final long LOCK_MASK = 7;
    private static final long UNLOCKED = 1;

    /** Of a mark that says which monitor has the object's. */
    private static final long MONITOR = 2;

    /** Of a mark that says where the JVM keeps the object's. */
    private static final long ADDRESS_MASK = ~3L;

    private static final long HASH_MASK = 0x7FFF_FFFFL << HASH_SHIFT;

    /** Where the class is behind the mark. */
    static final long CLASS_OFFSET = 8;

    /** Half way in the mark: eight bytes from here have the lower half of the class as their upper one. */
    private static final long BEFORE_CLASS = CLASS_OFFSET - Integer.BYTES;

    /** Behind the lock and the age. */
    private static final int FIRST_UNUSED = 7;

    private static final int COMPACT_CLASS_SHIFT = 42;

    private SubsumeMark() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return HASH_SHIFT != 0;
    }

    /** Whether there is room for tags. */
    static boolean hasRoom() {
        return HASH_SHIFT > 0 && (COMPACT ? HASH_SHIFT > FIRST_UNUSED : HASH_SHIFT + 31 < TAG_SHIFT);
    }

    /** Whether a mark, or the hash in it, tells the object's tag. */
    @ForceInline
    @Hidden
    static boolean isTagged(long mark) {
        // Otherwise the bit is that of the sign.
        return COMPACT ? (mark & TAGGED) != 0 : mark < 0;
    }

    /** The tag that it tells. */
    @ForceInline
    @Hidden
    static int tagIn(long mark) {
        return COMPACT ? SubsumeHashes.ownerOf((int) (mark >>> HASH_SHIFT))
                : (int) (mark >>> TAG_SHIFT) & TAG_MASK;
    }

    /** A mark without tag and hash. */
    @ForceInline
    @Hidden
    static long withoutTag(long mark) {
        return mark & ~HASH_MASK & ~(COMPACT ? 0 : TAGGED | (long) TAG_MASK << TAG_SHIFT);
    }

    /** Whether a mark is out of reach, because the object is locked, or about to be. */
    @ForceInline
    @Hidden
    static boolean isLocked(long mark) {
        return (mark & LOCK_MASK) != UNLOCKED;
    }

    /** Whether this is the mark of an object that is not locked and has no hash. */
    @ForceInline
    @Hidden
    static boolean hasNoHash(long mark) {
        return (mark & (LOCK_MASK | HASH_MASK)) == UNLOCKED;
    }

    /** What a mark gets with a tag, beside the hash. */
    @ForceInline
    @Hidden
    static long tagBits(int tag) {
        return COMPACT ? 0 : TAGGED | (long) tag << TAG_SHIFT;
    }

    // Whether a reference to the object was stored.

    /** Whether this is the mark of an object with a tag to which no reference was stored. */
    @ForceInline
    @Hidden
    static boolean isUnassigned(long mark) {
        return (mark & (TAGGED | ASSIGNED)) == TAGGED;
    }

    /**
     * Whether the JVM may keep the mark elsewhere, because the object is locked. Compact headers, which
     * hold the class, always stay; and biased ones (JDK 17, if asked for) hold no tag.
     */
    @ForceInline
    @Hidden
    static boolean isOutOfReach(long mark) {
        return !COMPACT && mark >= 0 && (mark & UNLOCKED) == 0;
    }

    /** Whether the object's mark is in a lock record, on the stack of the thread that has locked it; this is where. */
    @ForceInline
    @Hidden
    static boolean isInLockRecord(long mark) {
        return isOutOfReach(mark) && (mark & MONITOR) == 0;
    }

    /**
     * Where the mark of an object is that this thread has locked and that has this hash; 0 if it is in
     * the object. A mark in the object has the hash.
     */
    @Hidden
    static long addressOfDisplaced(long mark, int hash) {
        return isOutOfReach(mark) && (mark & HASH_MASK) >>> HASH_SHIFT != hash ? mark & ADDRESS_MASK : 0;
    }

    /** Whether this is a mark that is not locked and has this hash. */
    @Hidden
    static boolean isUnlockedWith(long mark, int hash) {
        return !isLocked(mark) && (mark & HASH_MASK) >>> HASH_SHIFT == hash;
    }

    /**
     * Address of the object's class as the JVM writes it. C2 knows what lies at its
     * offset, and calls native code for a load from there; not so from an offset before.
     */
    @ForceInline
    @Hidden
    static long typeOf(Object object, long mark) {
        if (COMPACT) {
            return mark >>> COMPACT_CLASS_SHIFT;
        }
        long lower = U.getLong(object, BEFORE_CLASS) >>> Integer.SIZE;
        return NARROW_CLASS ? lower
                : lower | (long) U.getInt(object, CLASS_OFFSET + Integer.BYTES) << Integer.SIZE;
    }

    /** Where this JVM keeps the hash in a mark. */
    private static int hashShift() {
        Object object = new Object();
        int hash = System.identityHashCode(object);
        long mark = U.getLong(object, 0L);
        for (int shift = 3; shift <= 33; shift++) {
            if ((int) (mark >>> shift & 0x7FFF_FFFF) == hash) {
                return shift;
            }
        }
        return -1;
    }
}
