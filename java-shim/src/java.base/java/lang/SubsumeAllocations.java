package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Allocation hooks: a new object is counted, and gets its allocation tag.
 *
 * <p>The allocating method leaves the tag in a field of the thread, and {@code Object}'s constructor
 * takes it from there. Whether it was meant for this object shows in the object's class. Arrays,
 * clones, and what lambda expressions and concatenations make, get theirs behind the instruction.
 */
public final class SubsumeAllocations {
    static {
        bindNatives();
    }

    static final Unsafe U = Unsafe.getUnsafe();

    /** Address of word 0 of the profile's file. */
    private static final long BASE = base();

    // Tables in the agent's memory; crates/instrument/src/dataflow/objects/tag_table.rs says what they hold.
    private static final long TAGS_BY_CONTEXT = SubsumeTags.table(SubsumeTags.TABLE_BY_CONTEXT);
    private static final long CLASSES = SubsumeTags.table(SubsumeTags.TABLE_OF_CLASSES);
    static final long SITES = SubsumeTags.table(SubsumeTags.TABLE_OF_SITES);
    private static final long SIZES = SubsumeTags.table(SubsumeTags.TABLE_OF_SIZES);

    /** Bits of a place in {@link #TAGS_BY_CONTEXT}. */
    private static final int CONTEXT_BITS = 16;

    // A tree's counters of objects; crates/profile/src/layout.rs says how they lie.

    /** Binary logarithm of the number of tags that share a page. */
    private static final int LOG_OF_PAGE = 7;

    private static final int PAGE_MASK = (1 << LOG_OF_PAGE) - 1;

    /** Binary logarithm of the bytes that the counters of a tag take. */
    private static final int LOG_OF_COUNTERS = 4;

    /** Byte offset of the counter of bytes, behind that of objects. */
    private static final int BYTES = 8;

    private SubsumeAllocations() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return BASE != 0;
    }

    // The tag of the next object.

    /** Before the constructor of a new object is called. */
    @ForceInline
    @Hidden
    public static void expect(int owner, int site) {
        Thread.currentThread().$subsume$birth = tagOf(owner, site);
    }

    /** A constructor that does something before it calls the next one, keeps the tag meanwhile. */
    @ForceInline
    @Hidden
    public static int take() {
        Thread thread = Thread.currentThread();
        int tag = thread.$subsume$birth;
        thread.$subsume$birth = 0;
        return tag;
    }

    /** And gives it back. */
    @ForceInline
    @Hidden
    public static void give(int tag) {
        Thread.currentThread().$subsume$birth = tag;
    }

    /** The tag that {@code this} will get. */
    @ForceInline
    @Hidden
    public static int pending() {
        return Thread.currentThread().$subsume$birth;
    }

    // Objects that are there.

    /** {@code Object}'s constructor. */
    @ForceInline
    @Hidden
    public static void allocated(Object object) {
        Thread thread = Thread.currentThread();
        int tag = thread.$subsume$birth;
        thread.$subsume$birth = 0;
        long mark = U.getLong(object, 0L);
        int type = (int) SubsumeMark.typeOf(object, mark);
        if (U.getInt(null, CLASSES + ((long) tag << 2)) != type) {
            tag = identify(object, tag, mark);
        }
        tagNew(thread, object, tag, 0, false);
    }

    /** The tag of a new object whose class does not tell at once that the expected one is right. */
    @DontInline
    @Hidden
    private static int identify(Object object, int tag, long mark) {
        if (tag != 0 && confirm(object, tag)) {
            U.putInt(null, CLASSES + ((long) tag << 2), (int) SubsumeMark.typeOf(object, mark));
            return tag;
        }
        return SubsumeUntracked.tagOf(object, mark);
    }

    /** A new array with elements of a kind. */
    @ForceInline
    @Hidden
    public static void array(Object array, int length, int kind, int owner, int site) {
        tagNew(Thread.currentThread(), array, tagOf(owner, site), SubsumeArrays.bytes(length, kind), true);
    }

    /** A new array of arrays, made with so many dimensions. */
    @Hidden
    public static void arrays(Object array, int dimensions, int owner, int site) {
        tagArrays(Thread.currentThread(), array, dimensions, tagOf(owner, site));
    }

    @Hidden
    static void tagArrays(Thread thread, Object array, int dimensions, int tag) {
        if (dimensions > 1) {
            Object[] outer = (Object[]) array;
            tagNew(thread, outer, tag, SubsumeArrays.bytes(outer.length, SubsumeArrays.REFERENCES), true);
            for (int i = 0; i < outer.length; i++) {
                tagArrays(thread, outer[i], dimensions - 1, tag);
            }
        } else if (array != null) {
            tagNew(thread, array, tag, SubsumeArrays.bytesOf(array), true);
        }
    }

    /** A call of {@code clone} returned; if it was {@code Object}'s, the object is new. */
    @ForceInline
    @Hidden
    public static void cloned(Object object, int owner, int site) {
        if (object != null) {
            long mark = U.getLong(object, 0L);
            if (SubsumeMark.hasNoHash(mark) && !SubsumeMark.isTagged(mark)) {
                int tag = tagOf(owner, site);
                boolean isArray = SubsumeTags.isArray(object);
                tagNew(Thread.currentThread(), object, tag, bytesOf(object, mark), isArray);
            }
        }
    }

    /**
     * A lambda expression or a concatenation has made an object; if the code behind it did not say
     * so, this is where it was made. A lambda expression may also have made it long ago.
     */
    @ForceInline
    @Hidden
    public static void made(Object object, int owner, int site) {
        if (object != null) {
            int first = SubsumeTags.tag(object);
            if (U.getInt(null, SITES + ((long) first << 2)) < 0) {
                rename(object, first, tagOf(owner, site));
            }
        }
    }

    @DontInline
    @Hidden
    static void rename(Object object, int first, int tag) {
        long mark = U.getLong(object, 0L);
        if (SubsumeMark.isLocked(mark) || !SubsumeMark.isTagged(mark)) {
            return;
        }
        Thread thread = Thread.currentThread();
        long bytes = bytesOf(object, mark);
        long to = counters(thread, tag);
        long objects = U.getLong(null, to) + 1;
        long tagged = SubsumeMark.withoutTag(mark) | SubsumeMark.tagBits(tag);
        // Nobody has seen the new object, so its hash may change.
        tagged |= SubsumeHashes.inMark(tag, (int) objects);
        if (!U.compareAndSetLong(object, 0L, mark, tagged)) {
            return;
        }
        long from = counters(thread, first);
        U.putLong(null, from, U.getLong(null, from) - 1);
        U.putLong(null, to, objects);
        U.putLong(null, to + BYTES, U.getLong(null, to + BYTES) + bytes);
        if ((mark & SubsumeMark.ASSIGNED) != 0) {
            SubsumeAssignments.move(object, first, tag, mark);
        }
    }

    /** The tag of objects that are made at a site on behalf of this owner. */
    @ForceInline
    @Hidden
    static int tagOf(int owner, int site) {
        long key = (long) site << SubsumeTags.OWNER_BITS | owner;
        long place = TAGS_BY_CONTEXT + (key * 0x9E37_79B9_7F4A_7C15L >>> 64 - CONTEXT_BITS << 3);
        long entry = U.getLong(null, place);
        return entry >>> SubsumeMark.TAG_BITS == key ? (int) entry & SubsumeMark.TAG_MASK
                : makeTag(owner, site, key, place);
    }

    @DontInline
    @Hidden
    private static int makeTag(int owner, int site, long key, long place) {
        int tag = tagInContext(owner, site);
        U.putLong(null, place, key << SubsumeMark.TAG_BITS | tag);
        return tag;
    }

    /** Counts a new object that nobody else has seen, and gives it its tag. */
    @ForceInline
    @Hidden
    static void tagNew(
            Thread thread, Object object, int tag, long bytes, boolean isArray) {
        long births = thread.$subsume$births;
        int page = births == 0 ? 0 : U.getInt(null, births + (tag >>> LOG_OF_PAGE << 2));
        long counters = page != 0 ? BASE + ((page & 0xFFFF_FFFFL) << 2) + ((tag & PAGE_MASK) << LOG_OF_COUNTERS)
                : counters(thread, tag);
        long objects = U.getLong(null, counters) + 1;
        U.putLong(null, counters, objects);
        if (bytes != 0) {
            U.putLong(null, counters + BYTES, U.getLong(null, counters + BYTES) + bytes);
        }
        long mark = U.getLong(object, 0L);
        if (!SubsumeMark.hasNoHash(mark)) {
            return;
        }
        long bits = SubsumeMark.tagBits(tag);
        if (SubsumeMark.HAS_PLACES && isArray && SubsumeClockCache.ON) {
            U.putLong(object, 0L, mark | bits | SubsumeClockCache.give(thread, bits));
            return;
        }
        SubsumeHashes.moveOn(tag, (int) objects);
        // Threads begin at different places of a block, which are the same in every run.
        int random = (int) objects + ((int) (births - BASE >>> 4) * 0x9E37_79B1
                >>> Integer.SIZE - SubsumeHashes.BLOCK_BITS);
        U.putLong(object, 0L, mark | bits | SubsumeHashes.inMark(tag, random));
    }

    /** Address of the counters of objects and of bytes that a thread has for a tag. */
    @DontInline
    @Hidden
    private static long counters(Thread thread, int tag) {
        if (thread.$subsume$births == 0) {
            thread.$subsume$births = births(SubsumeRuntime.tree(thread));
        }
        int page = U.getInt(null, thread.$subsume$births + (tag >>> LOG_OF_PAGE << 2));
        if (page == 0) {
            page = birthsPage(SubsumeRuntime.tree(thread), tag >>> LOG_OF_PAGE);
        }
        return BASE + ((page & 0xFFFF_FFFFL) << 2) + ((tag & PAGE_MASK) << LOG_OF_COUNTERS);
    }

    /** Bytes to be counted for an object whose tag does not tell its class. */
    @Hidden
    static long bytesOf(Object object, long mark) {
        long bytes = SubsumeArrays.bytesOf(object);
        return bytes != 0 ? bytes
                : U.getInt(null, SIZES + ((long) SubsumeUntracked.tagOf(object, mark) << 2));
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    private static native long base();

    /** The tag of objects made at a site on behalf of an owner. */
    private static native int tagInContext(int owner, int site);

    /** Whether objects of this class are made at the tag's site. */
    private static native boolean confirm(Object object, int tag);

    /** Address of the table of pages of a tree's counters. */
    private static native long births(int tree);

    /** A new page in it. */
    private static native int birthsPage(int tree, int page);
}
