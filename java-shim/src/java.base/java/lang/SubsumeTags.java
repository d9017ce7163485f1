package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Tags of objects: where and in which context each was made. A tag is the number of a pair of
 * allocation site and context slot; 0 means that there is no object.
 *
 * <p>An object carries its tag in its header, in the {@link SubsumeMark}. Above the identity hash the
 * mark has bits that nobody uses, and that are kept together with the hash through locking and
 * garbage collection as long as the hash is not 0. So an object gets a hash together with its tag.
 * {@link SubsumeHashes} come from blocks, each of which belongs to one tag: this tells the tag where
 * the mark is out of reach, because the object is locked, and where it has no room, because it holds
 * the class, too (compact headers). Where costs or nulls are followed, those of arrays come from the
 * {@link SubsumeClockCache}.
 *
 * <p>Objects get their tags in {@link SubsumeAllocations}, or from {@link SubsumeUntracked} if nobody saw
 * how they were made.
 *
 * <p>As in {@link SubsumeRuntime}, nothing here allocates an object or takes a monitor.
 */
public final class SubsumeTags {
    static {
        bindNatives();
    }

    static final Unsafe U = Unsafe.getUnsafe();

    // Numbers of the tables; crates/instrument/src/dataflow/objects/tag_table.rs says what they hold.
    static final int TABLE_BY_CONTEXT = 0;
    static final int TABLE_OF_CLASSES = 1;
    static final int TABLE_OF_SITES = 2;
    static final int TABLE_OF_BLOCKS = 3;
    static final int TABLE_OF_OWNERS = 4;
    static final int TABLE_OF_SIZES = 5;
    static final int TABLE_OF_UNTRACKED = 6;
    private static final int TABLE_OF_HASHES = 7;

    // Bits of what is known of object headers.
    static final int COMPACT = 1;
    static final int NARROW_CLASSES = 2;
    static final int ARRAYS_HAVE_PLACES = 4;

    /** For each tag, the hash of its site; see crates/instrument/src/dataflow/objects/tag_table.rs. */
    private static final long HASHES = table(TABLE_OF_HASHES);

    /** Bits of an owner: a tag, or a hashed chain of receivers. */
    static final int OWNER_BITS = 27;

    private static final int OWNER_MASK = (1 << OWNER_BITS) - 1;

    /** From here on, owners are calls of static methods; see crates/instrument/src/dataflow/objects/tags/owners.rs. */
    private static final int CALL = 1 << 26;

    /** With a tag: the object's mark tells it. */
    static final int MARKED = 1 << SubsumeMark.TAG_BITS;

    private SubsumeTags() {
    }

    /** The tag of an object. */
    @ForceInline
    @Hidden
    public static int tag(Object object) {
        if (object == null) {
            return 0;
        }
        long mark = U.getLong(object, 0L);
        return SubsumeMark.isTagged(mark) ? SubsumeMark.tagIn(mark) : find(object);
    }

    /**
     * The tag of an object with {@link #MARKED}, if its mark tells it; something less than that if it
     * does not. That of no object is {@link #MARKED} alone.
     */
    @ForceInline
    @Hidden
    static int marked(Object object) {
        if (object == null) {
            return MARKED;
        }
        long mark = U.getLong(object, 0L);
        if (SubsumeMark.COMPACT) {
            return SubsumeMark.isTagged(mark) ? SubsumeMark.tagIn(mark) | MARKED : 0;
        }
        return (int) (mark >>> SubsumeMark.TAG_SHIFT);
    }

    /** The tag of an object that is locked, or has none yet because nobody saw how it was made. */
    @DontInline
    @Hidden
    static int find(Object object) {
        long mark = U.getLong(object, 0L);
        if (!SubsumeMark.isLocked(mark)) {
            return SubsumeUntracked.adopt(object, mark);
        }
        long displaced = displacedByThis(mark);
        if (SubsumeMark.isTagged(displaced)) {
            return SubsumeMark.tagIn(displaced);
        }
        int hash = System.identityHashCode(object);
        int tag = 0;
        if ((hash & SubsumeHashes.OWNED) != 0) {
            tag = hasPlace(object) ? SubsumeClockCache.tagOf(hash) : SubsumeHashes.ownerOf(hash);
        }
        return tag != 0 ? tag : SubsumeUntracked.tagOf(object, U.getLong(object, 0L));
    }

    /**
     * The mark that an object had when this thread locked it, from the lock record on the thread's own
     * stack: nobody else writes there, and nothing moves it while this method runs. 0 if another thread
     * has locked the object, or it has a monitor.
     */
    @Hidden
    private static long displacedByThis(long mark) {
        if (!SubsumeMark.isInLockRecord(mark)) {
            return 0;
        }
        Thread thread = Thread.currentThread();
        if (thread.$subsume$stackBytes == 0) {
            thread.$subsume$stack = stack(thread);
            thread.$subsume$stackBytes = stackBytes(thread);
        }
        long offset = mark - thread.$subsume$stack;
        if (offset < 0 || offset >= thread.$subsume$stackBytes) {
            return 0;
        }
        long displaced = U.getLong(null, mark);
        return SubsumeMark.isLocked(displaced) ? 0 : displaced;
    }

    /** Whether nobody has asked for the tag of an object so far, nor given it one. */
    @ForceInline
    @Hidden
    static boolean isUnknown(Object object) {
        long mark = U.getLong(object, 0L);
        return !SubsumeMark.isTagged(mark) && !SubsumeMark.isLocked(mark);
    }

    /** Whether an object is an array; what a class says of it has probes. */
    @ForceInline
    @Hidden
    static boolean isArray(Object object) {
        return SubsumeArrays.logOfElementSize(object) >= 0;
    }

    /** Whether this is an array that has, or gets, a place in the {@link SubsumeClockCache}. */
    @ForceInline
    @Hidden
    static boolean hasPlace(Object object) {
        return SubsumeMark.HAS_PLACES && SubsumeClockCache.ON && isArray(object);
    }

    // Owners: the tag of a receiver, or a call.

    /** The owner that a static method passes on to one of its own class that it calls. */
    @ForceInline
    @Hidden
    public static int ownerWithin(int owner, int call) {
        return owner != 0 ? owner : call;
    }

    /** The owner that a static method passes on to one of another class. */
    @ForceInline
    @Hidden
    public static int ownerBeyond(int owner, int call) {
        return owner != 0 && owner < CALL ? owner : call;
    }

    // Chains of receivers, in place of receivers.

    /** The hashed chain of receivers, 0 where there is none. */
    @ForceInline
    @Hidden
    public static int chain() {
        return Thread.currentThread().$subsume$chain;
    }

    /** What the chain becomes in a method of an object with this tag. */
    @ForceInline
    @Hidden
    public static int chainOf(int chain, int tag) {
        return 3 * chain + U.getInt(null, HASHES + ((long) tag << 2)) & OWNER_MASK;
    }

    /**
     * Initialises the class, and those that it needs, before there are probes that would run
     * meanwhile.
     */
    static boolean isReady() {
        return SubsumeMark.isReady() && SubsumeHashes.isReady() && SubsumeArrays.isReady()
                && SubsumeUntracked.isReady() && SubsumeAllocations.isReady();
    }

    /** Initialises the class as {@link #isReady} does; true if marks have room for tags. */
    static boolean canTag() {
        return isReady() && SubsumeMark.hasRoom();
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    /** Address of a table. */
    static native long table(int number);

    /** What object headers are like: {@link #COMPACT} and the bits behind it. */
    static native int headers();

    /** Objects take multiples of so many bytes. */
    static native int alignment();

    /**
     * The tag of objects of this class that nobody saw being made; negative, with the tag in its
     * lower bits, if the class may be unloaded.
     */
    static native int untrackedTag(Object object);

    /**
     * A hash of the name of a class, so that it does not depend on who asked first; 0 if the name is
     * not the same in every run.
     */
    static native int hashOfName(Class<?> type);

    /**
     * Lowest address of the stack of this thread, which is the current one; more than any mark where that
     * is unknown, or the thread is a virtual one, which has no stack of its own.
     */
    private static native long stack(Thread thread);

    /** How many bytes it has; not 0. */
    private static native long stackBytes(Thread thread);

    /** Another block of hashes for a tag. */
    static native void nextBlock(int tag);
}
