package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Tags of objects: where and in which context each was made. A tag is the number of a pair of
 * allocation site and context slot; 0 means that there is no object.
 *
 * <p>An object carries its tag in its header, which HotSpot calls the mark. Above the identity hash
 * the mark has bits that nobody uses, and that are kept together with the hash through locking and
 * garbage collection as long as the hash is not 0. So an object gets a hash together with its tag.
 * Hashes come from blocks, each of which belongs to one tag: this tells the tag where the mark is out
 * of reach, because the object is locked, and where it has no room, because it holds the class, too
 * (compact headers). Where costs or nulls are followed, those of arrays come from the {@link
 * SubsumeRing}.
 *
 * <p>The allocating method leaves the tag in a field of the thread, and {@code Object}'s constructor
 * takes it from there. Whether it was meant for this object shows in the object's class.
 *
 * <p>As in {@link SubsumeRuntime}, nothing here allocates an object or takes a monitor.
 */
public final class SubsumeTags {
    static {
        bindNatives();
    }

    private static final Unsafe U = Unsafe.getUnsafe();

    /** Address of word 0 of the profile's file. */
    private static final long BASE = base();

    // Tables in the agent's memory; agent/src/flow/tag_table.rs says what they hold.
    private static final long TAGS_BY_CONTEXT = table(0);
    private static final long CLASSES = table(1);
    private static final long SITES = table(2);
    private static final long BLOCKS = table(3);
    private static final long OWNERS = table(4);
    private static final long SIZES = table(5);
    private static final long UNTRACKED = table(6);
    private static final long HASHES = table(7);

    /** Bits of an owner: a tag, or a hashed chain of receivers. */
    private static final int OWNER_BITS = 27;

    private static final int OWNER_MASK = (1 << OWNER_BITS) - 1;

    /** Bits of a place in {@link #TAGS_BY_CONTEXT}, and in {@link #UNTRACKED}. */
    private static final int CONTEXT_BITS = 16;

    private static final int UNTRACKED_BITS = 12;

    private static final int TAG_BITS = 17;
    private static final int TAG_MASK = (1 << TAG_BITS) - 1;

    /** With a tag: the object's mark tells it. */
    static final int MARKED = 1 << TAG_BITS;

    /** In {@link #SITES}: an object with the tag may get another one. */
    private static final int PROVISIONAL = 1 << 31;

    // The mark.

    /** Whether the mark holds the class. */
    private static final boolean COMPACT = (headers() & 1) != 0;

    /** Whether the class behind the mark takes four bytes. */
    private static final boolean NARROW_CLASS = (headers() & 2) != 0;

    static final int HASH_SHIFT = hashShift();

    /** The bit of a hash that the JVM's own hashes do not have: they are numbers from 1 on. */
    static final int OWNED = 1 << 30;

    /** Bits of a hash that tell apart the objects in a block. */
    private static final int BLOCK_BITS = 13;

    private static final int BLOCK_MASK = (1 << BLOCK_BITS) - 1;

    /** Where a tag is in the mark. */
    static final int TAG_SHIFT = 46;

    /** The bit that says that there is a tag, in the mark or in its hash. */
    static final long TAGGED =
            COMPACT ? (long) OWNED << HASH_SHIFT : 1L << TAG_SHIFT + TAG_BITS;

    /** Whether arrays have places in the {@link SubsumeRing}; their hashes are not from blocks then. */
    static final boolean HAS_PLACES = !COMPACT && HASH_SHIFT > 0 && (headers() & 4) != 0;

    private static final long LOCK_MASK = 7;
    private static final long UNLOCKED = 1;
    private static final long HASH_MASK = 0x7FFF_FFFFL << HASH_SHIFT;

    private static final long CLASS_OFFSET = 8;
    private static final int COMPACT_CLASS_SHIFT = 42;

    // Sizes of arrays.
    private static final int MARKER = 0x5A3C_7E19;
    private static final int NARROW_BASE = firstElement(new int[] {MARKER});
    private static final int WIDE_BASE = firstElement(new long[] {MARKER});
    static final int REFERENCE_SHIFT = U.arrayIndexScale(Object[].class) == 4 ? 2 : 3;
    static final int REFERENCE_BASE = REFERENCE_SHIFT == 2 ? NARROW_BASE : WIDE_BASE;
    private static final long ALIGNMENT = alignment();

    /** Kinds of arrays beside the four whose elements take 1, 2, 4 and 8 bytes: 0 to 3. */
    private static final int REFERENCES = 4;

    /** Objects whose births nobody saw, so far: their hashes differ. */
    private static int found;

    private SubsumeTags() {
    }

    // Reading.

    /** The tag of an object. */
    @ForceInline
    @Hidden
    public static int tag(Object object) {
        if (object == null) {
            return 0;
        }
        long mark = U.getLong(object, 0L);
        // Otherwise the bit is that of the sign.
        boolean isTagged = COMPACT ? (mark & TAGGED) != 0 : mark < 0;
        return isTagged ? tagIn(mark) : find(object);
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
        if (COMPACT) {
            return (mark & TAGGED) != 0 ? ownerOf((int) (mark >>> HASH_SHIFT)) | MARKED : 0;
        }
        return (int) (mark >>> TAG_SHIFT);
    }

    @ForceInline
    @Hidden
    static int tagIn(long mark) {
        return COMPACT ? ownerOf((int) (mark >>> HASH_SHIFT)) : (int) (mark >>> TAG_SHIFT) & TAG_MASK;
    }

    /** The tag that a hash belongs to. */
    @ForceInline
    @Hidden
    private static int ownerOf(int hash) {
        return U.getInt(null, OWNERS + ((hash >>> BLOCK_BITS & TAG_MASK) << 2));
    }

    /** The tag of an object that is locked, or has none yet because nobody saw how it was made. */
    @DontInline
    @Hidden
    private static int find(Object object) {
        long mark = U.getLong(object, 0L);
        if ((mark & LOCK_MASK) == UNLOCKED) {
            int tag = untracked(object, mark);
            // Threads may lose a step; then two objects have one hash.
            int number = ++found;
            if ((number & 0x7FF) == 0) {
                nextBlock(tag);
            }
            int ofName = object instanceof Class<?> type ? hashOfName(type) : 0;
            return attach(object, tag, ofName != 0 ? ofName : number) ? tag : tag(object);
        }
        int hash = System.identityHashCode(object);
        int tag = 0;
        if ((hash & OWNED) != 0) {
            tag = hasPlace(object) ? SubsumeRing.tagOf(hash) : ownerOf(hash);
        }
        return tag != 0 ? tag : untracked(object, U.getLong(object, 0L));
    }

    /** Whether nobody has asked for the tag of an object so far, nor given it one. */
    @ForceInline
    @Hidden
    static boolean isUnknown(Object object) {
        return (U.getLong(object, 0L) & (TAGGED | LOCK_MASK)) == UNLOCKED;
    }

    /** Whether an object is an array; what a class says of it has probes. */
    @ForceInline
    @Hidden
    static boolean isArray(Object object) {
        return logOfElementSize(object) >= 0;
    }

    /** Binary logarithm of the bytes that an element of an array takes; negative for other objects. */
    @ForceInline
    @Hidden
    static int logOfElementSize(Object object) {
        if (object instanceof Object[]) {
            return REFERENCE_SHIFT;
        }
        if (object instanceof byte[] || object instanceof boolean[]) {
            return 0;
        }
        if (object instanceof char[] || object instanceof short[]) {
            return 1;
        }
        if (object instanceof int[] || object instanceof float[]) {
            return 2;
        }
        return object instanceof long[] || object instanceof double[] ? 3 : -1;
    }

    /** The offset of the first element of an array. */
    @Hidden
    static int offsetOfElements(Object array) {
        return array instanceof long[] || array instanceof double[] ? WIDE_BASE
                : array instanceof Object[] ? REFERENCE_BASE : NARROW_BASE;
    }

    /** Whether this is an array that has, or gets, a place in the {@link SubsumeRing}. */
    @ForceInline
    @Hidden
    private static boolean hasPlace(Object object) {
        return HAS_PLACES && SubsumeRing.ON && isArray(object);
    }

    /** Gives an object a tag that others may try to give it, too; false if they were first. */
    @Hidden
    private static boolean attach(Object object, int tag, int random) {
        while (true) {
            long mark = U.getLong(object, 0L);
            if ((mark & TAGGED) != 0) {
                return false;
            }
            boolean hasHash = (mark & HASH_MASK) != 0;
            if ((mark & LOCK_MASK) != UNLOCKED || COMPACT && hasHash) {
                // It stays without one, and is found by its class next time.
                return true;
            }
            long tagged = mark | tagBits(tag);
            if (!hasHash) {
                tagged |= hasPlace(object)
                        ? SubsumeRing.give(Thread.currentThread(), tagBits(tag)) : hash(tag, random);
            }
            if (U.compareAndSetLong(object, 0L, mark, tagged)) {
                return true;
            }
        }
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

    @ForceInline
    @Hidden
    private static long tagBits(int tag) {
        return COMPACT ? 0 : TAGGED | (long) tag << TAG_SHIFT;
    }

    /** What the mark of an object without hash gets beside the tag. */
    @ForceInline
    @Hidden
    private static long hash(int tag, int random) {
        int block = U.getInt(null, BLOCKS + ((long) tag << 2));
        long hash = block & ~BLOCK_MASK | block + random & BLOCK_MASK;
        return hash << HASH_SHIFT;
    }

    /** The tag of all objects of a class of which nobody saw how they were made. */
    @Hidden
    private static int untracked(Object object, long mark) {
        long type = typeOf(object, mark);
        long place = UNTRACKED + (type * 0x9E37_79B9_7F4A_7C15L >>> 64 - UNTRACKED_BITS << 3);
        long entry = U.getLong(null, place);
        if (entry >>> TAG_BITS == type) {
            return (int) entry & TAG_MASK;
        }
        int tag = untrackedTag(object);
        if (tag >= 0) {
            // The class will not be unloaded, so its address stays its own.
            U.putLong(null, place, type << TAG_BITS | tag);
        }
        return tag & TAG_MASK;
    }

    /** Address of the object's class as the JVM writes it. */
    @ForceInline
    @Hidden
    private static long typeOf(Object object, long mark) {
        if (COMPACT) {
            return mark >>> COMPACT_CLASS_SHIFT;
        }
        return NARROW_CLASS ? U.getInt(object, CLASS_OFFSET) & 0xFFFF_FFFFL : U.getLong(object, CLASS_OFFSET);
    }

    // Births.

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

    /** {@code Object}'s constructor. */
    @ForceInline
    @Hidden
    public static void born(Object object) {
        Thread thread = Thread.currentThread();
        int tag = thread.$subsume$birth;
        thread.$subsume$birth = 0;
        long mark = U.getLong(object, 0L);
        int type = (int) typeOf(object, mark);
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
            U.putInt(null, CLASSES + ((long) tag << 2), (int) typeOf(object, mark));
            return tag;
        }
        return untracked(object, mark);
    }

    /** A new array with elements of a kind. */
    @ForceInline
    @Hidden
    public static void array(Object array, int length, int kind, int owner, int site) {
        tagNew(Thread.currentThread(), array, tagOf(owner, site), arrayBytes(length, kind), true);
    }

    /** A new array of arrays, made with so many dimensions. */
    @Hidden
    public static void arrays(Object array, int dimensions, int owner, int site) {
        tagArrays(Thread.currentThread(), array, dimensions, tagOf(owner, site));
    }

    @Hidden
    private static void tagArrays(Thread thread, Object array, int dimensions, int tag) {
        if (dimensions > 1) {
            Object[] outer = (Object[]) array;
            tagNew(thread, outer, tag, arrayBytes(outer.length, REFERENCES), true);
            for (int i = 0; i < outer.length; i++) {
                tagArrays(thread, outer[i], dimensions - 1, tag);
            }
        } else if (array != null) {
            tagNew(thread, array, tag, bytesOfArray(array), true);
        }
    }

    /** A call of {@code clone} returned; if it was {@code Object}'s, the object is new. */
    @ForceInline
    @Hidden
    public static void cloned(Object object, int owner, int site) {
        if (object != null) {
            long mark = U.getLong(object, 0L);
            if ((mark & (LOCK_MASK | HASH_MASK | TAGGED)) == UNLOCKED) {
                int tag = tagOf(owner, site);
                boolean isArray = isArray(object);
                tagNew(Thread.currentThread(), object, tag, bytesOf(object, mark), isArray);
            }
        }
    }

    /**
     * A lambda expression or a concatenation has made an object; if the code behind it did not say
     * so, this is where it was made.
     */
    @ForceInline
    @Hidden
    public static void made(Object object, int owner, int site) {
        if (object != null) {
            int tag = tagOf(owner, site);
            int first = tag(object);
            if (first != tag && U.getInt(null, SITES + ((long) first << 2)) < 0) {
                rename(object, first, tag);
            }
        }
    }

    @DontInline
    @Hidden
    private static void rename(Object object, int first, int tag) {
        long mark = U.getLong(object, 0L);
        if ((mark & LOCK_MASK) != UNLOCKED || (mark & TAGGED) == 0) {
            return;
        }
        Thread thread = Thread.currentThread();
        long bytes = bytesOf(object, mark);
        long from = counters(thread, first);
        U.putLong(null, from, U.getLong(null, from) - 1);
        long to = counters(thread, tag);
        long objects = U.getLong(null, to) + 1;
        U.putLong(null, to, objects);
        U.putLong(null, to + 8, U.getLong(null, to + 8) + bytes);
        long rest = mark & ~HASH_MASK & ~(COMPACT ? 0 : TAGGED | (long) TAG_MASK << TAG_SHIFT);
        // Nobody has seen the new object, so its hash may change.
        U.compareAndSetLong(object, 0L, mark, rest | tagBits(tag) | hash(tag, (int) objects));
    }

    /** The tag of objects that are made at a site on behalf of this owner. */
    @ForceInline
    @Hidden
    private static int tagOf(int owner, int site) {
        long key = (long) site << OWNER_BITS | owner;
        long place = TAGS_BY_CONTEXT + (key * 0x9E37_79B9_7F4A_7C15L >>> 64 - CONTEXT_BITS << 3);
        long entry = U.getLong(null, place);
        return entry >>> TAG_BITS == key ? (int) entry & TAG_MASK : makeTag(owner, site, key, place);
    }

    @DontInline
    @Hidden
    private static int makeTag(int owner, int site, long key, long place) {
        int tag = tagInContext(owner, site);
        U.putLong(null, place, key << TAG_BITS | tag);
        return tag;
    }

    /** Counts a new object that nobody else has seen, and gives it its tag. */
    @ForceInline
    @Hidden
    private static void tagNew(
            Thread thread, Object object, int tag, long bytes, boolean isArray) {
        long births = thread.$subsume$births;
        int page = births == 0 ? 0 : U.getInt(null, births + (tag >>> 7 << 2));
        long counters = page != 0 ? BASE + ((page & 0xFFFF_FFFFL) << 2) + ((tag & 127) << 4) : counters(thread, tag);
        long objects = U.getLong(null, counters) + 1;
        U.putLong(null, counters, objects);
        if (bytes != 0) {
            U.putLong(null, counters + 8, U.getLong(null, counters + 8) + bytes);
        }
        long mark = U.getLong(object, 0L);
        if ((mark & (LOCK_MASK | HASH_MASK)) != UNLOCKED) {
            return;
        }
        if (HAS_PLACES && isArray && SubsumeRing.ON) {
            U.putLong(object, 0L, mark | tagBits(tag) | SubsumeRing.give(thread, tagBits(tag)));
            return;
        }
        if ((objects & 0x7FF) == 0) {
            nextBlock(tag);
        }
        // Threads begin at different places of a block, which are the same in every run.
        int random = (int) objects + ((int) (births - BASE >>> 4) * 0x9E37_79B1 >>> 19);
        U.putLong(object, 0L, mark | tagBits(tag) | hash(tag, random));
    }

    /** Address of the counters of objects and of bytes that a thread has for a tag. */
    @DontInline
    @Hidden
    private static long counters(Thread thread, int tag) {
        if (thread.$subsume$births == 0) {
            thread.$subsume$births = births(SubsumeRuntime.tree(thread));
        }
        int page = U.getInt(null, thread.$subsume$births + (tag >>> 7 << 2));
        if (page == 0) {
            page = birthsPage(SubsumeRuntime.tree(thread), tag >>> 7);
        }
        return BASE + ((page & 0xFFFF_FFFFL) << 2) + ((tag & 127) << 4);
    }

    // Sizes.

    @ForceInline
    @Hidden
    private static long arrayBytes(int length, int kind) {
        long bytes = switch (kind) {
            case REFERENCES -> REFERENCE_BASE + ((long) length << REFERENCE_SHIFT);
            case 3 -> WIDE_BASE + ((long) length << 3);
            default -> NARROW_BASE + ((long) length << kind);
        };
        return bytes + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /** Bytes to be counted for an object whose tag does not tell its class. */
    @Hidden
    private static long bytesOf(Object object, long mark) {
        long bytes = bytesOfArray(object);
        return bytes != 0 ? bytes : U.getInt(null, SIZES + ((long) untracked(object, mark) << 2));
    }

    /** The size of an array, 0 if it is none. */
    @Hidden
    private static long bytesOfArray(Object array) {
        if (array instanceof Object[] references) {
            return arrayBytes(references.length, REFERENCES);
        } else if (array instanceof byte[] bytes) {
            return arrayBytes(bytes.length, 0);
        } else if (array instanceof boolean[] booleans) {
            return arrayBytes(booleans.length, 0);
        } else if (array instanceof char[] chars) {
            return arrayBytes(chars.length, 1);
        } else if (array instanceof short[] shorts) {
            return arrayBytes(shorts.length, 1);
        } else if (array instanceof int[] ints) {
            return arrayBytes(ints.length, 2);
        } else if (array instanceof float[] floats) {
            return arrayBytes(floats.length, 2);
        } else if (array instanceof long[] longs) {
            return arrayBytes(longs.length, 3);
        } else if (array instanceof double[] doubles) {
            return arrayBytes(doubles.length, 3);
        }
        return 0;
    }

    /**
     * Where the first element of an array is, which holds {@link #MARKER}. What {@link Unsafe} knows
     * of it has other types in other releases.
     */
    private static int firstElement(Object array) {
        int offset = (int) CLASS_OFFSET;
        while (U.getInt(array, (long) offset) != MARKER) {
            offset += 4;
        }
        return offset;
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

    /** Whether marks are as this class needs them. */
    static boolean canTag() {
        return HASH_SHIFT > 0 && (COMPACT || HASH_SHIFT + 31 <= TAG_SHIFT);
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    private static native long base();

    /** Address of a table. */
    private static native long table(int number);

    /** What object headers are like: 1 compact, 2 with narrow classes; 4 where arrays have places. */
    private static native int headers();

    /** Objects take multiples of so many bytes. */
    private static native int alignment();

    /** The tag of objects made at a site on behalf of an owner. */
    private static native int tagInContext(int owner, int site);

    /**
     * The tag of objects of this class that nobody saw being made; negative, with the tag in its
     * lower bits, if the class may be unloaded.
     */
    private static native int untrackedTag(Object object);

    /** Whether objects of this class are made at the tag's site. */
    private static native boolean confirm(Object object, int tag);

    /**
     * A hash of the name of a class, so that it does not depend on who asked first; 0 if the name is
     * not the same in every run.
     */
    private static native int hashOfName(Class<?> type);

    /** Another block of hashes for a tag. */
    private static native void nextBlock(int tag);

    /** Address of the table of pages of a tree's counters. */
    private static native long births(int tree);

    /** A new page in it. */
    private static native int birthsPage(int tree, int page);
}
