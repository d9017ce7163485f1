package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Inline caches of the accesses to the heap. An access notes the tag of its object, the last writer
 * of what it loads, and the points-to targets of references that it stores.
 *
 * <p>What is passed as the writer is the shadow of the location; what is returned becomes it. See
 * {@link SubsumeCosts}.
 *
 * <p>Behind the counters of a method in a slot lie the caches of its instructions, so that an access
 * finds its edges without a table; the cache of an access to the heap has the words that follow, at
 * these byte offsets. Other instructions have the nodes there that made their operands.
 *
 * <p>The monomorphic entry of a cache, the usual tag, is not counted: an access met that tag whenever
 * it was executed, which the counters of blocks say, but for the times when it met other tags. Those
 * count for the edges of the other tags.
 */
final class SubsumeInlineCache {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final long BASE = SubsumeCosts.base();

    /** What lies from here on is not of the recording. */
    private static final long LIMIT = SubsumeCosts.limit();

    // Relations; crates/profile/src/layout.rs says what they mean.
    static final int LOADED = 1;
    static final int STORED = 2;
    static final int OVERWRITTEN = 3;
    private static final int REFERS = 5;

    // An offset is added to an address only where memory is accessed: passed on as a sum, it would
    // take a register from the start of the method on.

    /** The usual tag: 0 before the first access, else with one of the two bits that follow. */
    private static final int USUAL = 0;

    /** The access will keep this usual tag. Its other bits are those of a mark with the tag. */
    private static final int DECIDED = SubsumeTags.MARKED;

    /** Training: the usual tag may still change. */
    private static final int CANDIDATE = DECIDED << 1;

    /**
     * What else makes an access a hit of the monomorphic entry: of a load, the last writer, read; of a store, the
     * tag of the object that the value refers to, with {@link #DECIDED}, and {@link SubsumeCosts#READ}
     * where there are no references.
     */
    private static final int COMPANION = 4;

    /** Any companion will do. */
    private static final int ANY = -1;

    /** How many accesses there were; once decided, how many met another than the usual tag. */
    private static final int OTHERS = 8;

    /** Word index of the edge for the other tag that was met last. */
    private static final int OTHER_EDGE = 12;

    /** Nobody has met the same tag twice in a row so often: it is decided. */
    private static final int UNDECIDED_MOST = 8;

    // Byte offsets in an entry of the table of edges.
    private static final int TO = 8;
    private static final int COUNT = 16;

    /** What {@link #COMPANION} is to the usual tag; not for readers. */
    private static final int LAST_COMPANION = 28;

    private SubsumeInlineCache() {
    }

    /** Initialises the class; true if there is memory for what it notes. */
    static boolean isReady() {
        return BASE != 0;
    }

    /** Where something may be kept that is found by these three. */
    @ForceInline
    @Hidden
    static long place(long from, int tag, int relation) {
        return SubsumeDataflow.entry(from, (long) tag << 32 | relation) + LAST_COMPANION;
    }

    /** A node met a tag so often, however often it is executed. */
    @Hidden
    static void count(long node, int tag, int relation, long times) {
        add(SubsumeDataflow.entry(node, (long) tag << 32 | relation), times);
    }

    /** Adds a number to the count of an edge. */
    @ForceInline
    @Hidden
    private static void add(long entry, long amount) {
        U.putLong(null, entry + COUNT, U.getLong(null, entry + COUNT) + amount);
    }

    /**
     * A node met a tag, and it is not the usual encounter. Returns where its companion is kept: beside
     * the usual tag, if the tag is that one or may become it, else with the edge that it counts for.
     */
    @Hidden
    private static long meet(int tag, int relation, int node, long counters, int offset) {
        long to = (long) tag << 32 | relation;
        if (counters >= LIMIT) {
            // Nobody reads these counters.
            long entry = SubsumeDataflow.entry(node, to);
            add(entry, 1);
            return entry + LAST_COMPANION;
        }
        int usual = U.getInt(null, counters + (offset + USUAL));
        if (usual == (tag | DECIDED)) {
            return counters + (offset + COMPANION);
        }
        if ((usual & DECIDED) == 0) {
            decide(tag, usual, relation, node, counters, offset);
            return counters + (offset + COMPANION);
        }
        int others = U.getInt(null, counters + (offset + OTHERS)) + 1;
        if (others < 0) {
            // There is no room for more.
            add(SubsumeDataflow.entry(node, (long) (usual & ~DECIDED) << 32 | relation), others - 1L);
            others = 1;
        }
        long edge = SubsumeDataflow.entry(node, to);
        // In this order, so that nothing is counted twice when the process is killed.
        U.putInt(null, counters + (offset + OTHERS), others);
        add(edge, 1);
        if (edge < LIMIT) {
            U.putInt(null, counters + (offset + OTHER_EDGE), (int) (edge - BASE >>> 2));
        }
        return edge + LAST_COMPANION;
    }

    /**
     * Counts an encounter with another than the usual tag if it is the other one that was met last,
     * and its companion, too, is the same; otherwise it does nothing and returns false.
     */
    @ForceInline
    @Hidden
    private static boolean meetOther(
            int met, int companion, int relation, long counters, int offset) {
        if (counters >= LIMIT) {
            return false;
        }
        long edge = BASE + ((U.getInt(null, counters + (offset + OTHER_EDGE)) & 0xFFFF_FFFFL) << 2);
        int usual = U.getInt(null, counters + (offset + USUAL));
        int others = U.getInt(null, counters + (offset + OTHERS)) + 1;
        if (usual < DECIDED || usual == met || others < 0
                || U.getLong(null, edge + TO) != ((long) (met - DECIDED) << 32 | relation)
                || companion != ANY && U.getInt(null, edge + LAST_COMPANION) != companion) {
            return false;
        }
        U.putInt(null, counters + (offset + OTHERS), others);
        add(edge, 1);
        return true;
    }

    /** The first encounters: what is met twice in a row is the usual tag. */
    @DontInline
    @Hidden
    private static void decide(
            int tag, int usual, int relation, int node, long counters, int offset) {
        int before = U.getInt(null, counters + (offset + OTHERS));
        boolean isDecided = usual == (tag | CANDIDATE) || before == UNDECIDED_MOST;
        boolean isNew = usual != 0 && usual != (tag | CANDIDATE);
        if (isNew) {
            // So far all have counted for the one before.
            add(SubsumeDataflow.entry(node, (long) tag << 32 | relation), -before);
            U.putInt(null, counters + (offset + COMPANION), 0);
        }
        U.putInt(null, counters + (offset + OTHERS), isDecided ? 0 : before + 1);
        U.putInt(null, counters + (offset + USUAL), tag | (isDecided ? DECIDED : CANDIDATE));
        if (isNew) {
            add(SubsumeDataflow.entry(node, (long) (usual & ~CANDIDATE) << 32 | relation), before);
        }
    }

    /** A node loaded from an object; null where it is a static field. */
    @ForceInline
    @Hidden
    static int loadedFrom(Object owner, int writer, int node, long counters, int offset) {
        int read = writer | SubsumeCosts.READ;
        long met = (long) read << 32 | SubsumeTags.marked(owner);
        if (U.getLong(null, counters + offset) != met) {
            meetLoading(owner, read, node, counters, offset);
        }
        return read;
    }

    @DontInline
    @Hidden
    static void meetLoading(Object owner, int read, int node, long counters, int offset) {
        if (!meetOther(SubsumeTags.marked(owner), read, LOADED, counters, offset)) {
            meetLoadingAnew(SubsumeTags.tag(owner), read, node, counters, offset);
        }
    }

    @DontInline
    @Hidden
    private static void meetLoadingAnew(int tag, int read, int node, long counters, int offset) {
        long known = meet(tag, LOADED, node, counters, offset);
        if (U.getInt(null, known) != read) {
            if (read != SubsumeCosts.READ) {
                SubsumeCosts.depend(read & ~SubsumeCosts.READ, node);
            }
            U.putInt(null, known, read);
        }
    }

    /** A node stored in an object; null where it is a static field. */
    @ForceInline
    @Hidden
    static int storedTo(Object owner, int writer, int node, long counters, int offset) {
        long met = (long) SubsumeCosts.READ << 32 | SubsumeTags.marked(owner);
        if (writer > 0 || U.getLong(null, counters + offset) != met) {
            meetStoring(owner, writer, node, counters, offset);
        }
        return node;
    }

    @DontInline
    @Hidden
    static void meetStoring(Object owner, int writer, int node, long counters, int offset) {
        if (writer > 0
                || !meetOther(SubsumeTags.marked(owner), SubsumeCosts.READ, STORED, counters, offset)) {
            meetStoringAnew(SubsumeTags.tag(owner), writer, node, counters, offset);
        }
    }

    @DontInline
    @Hidden
    static void meetStoringAnew(int tag, int writer, int node, long counters, int offset) {
        long known = meet(tag, STORED, node, counters, offset);
        U.putInt(null, known, SubsumeCosts.READ);
        if (writer > 0) {
            overwritten(node, tag);
        }
    }

    /** What an inline cache has of an object with this mark, which has its tag, and of this companion. */
    @ForceInline
    @Hidden
    static long met(int companion, long mark) {
        return (long) companion << 32 | mark >>> SubsumeMark.TAG_SHIFT;
    }

    /** Whether a store of this reference in an object with this mark, which has its tag, is a hit. */
    @ForceInline
    @Hidden
    static boolean isUsual(long mark, Object value, long counters, int offset) {
        return U.getLong(null, counters + offset) == met(target(value, counters, offset), mark);
    }

    /** The companion that a store of this reference asks for. */
    @ForceInline
    @Hidden
    static int target(Object value, long counters, int offset) {
        // Null makes no difference.
        return value == null
                ? U.getInt(null, counters + (offset + COMPANION)) : SubsumeTags.marked(value);
    }

    /** A node stored a reference in a field of this object. */
    @ForceInline
    @Hidden
    static int storedTo(
            Object owner, int writer, Object value, int node, int field, long counters, int offset) {
        int target = target(value, counters, offset);
        int owned = SubsumeTags.marked(owner);
        long met = (long) target << 32 | owned;
        // Where nothing was met yet, it must not look like an owner without a tag.
        if (writer > 0 || owned < DECIDED || U.getLong(null, counters + offset) != met) {
            meetStoring(owner, writer, value, node, field, counters, offset);
        }
        return node;
    }

    @DontInline
    @Hidden
    static void meetStoring(
            Object owner, int writer, Object value, int node, int field, long counters, int offset) {
        int target = value == null ? ANY : SubsumeTags.marked(value);
        if (writer > 0
                || !meetOther(SubsumeTags.marked(owner), target, STORED, counters, offset)) {
            meetStoringAnew(SubsumeTags.tag(owner), writer, value, node, field, counters, offset);
        }
    }

    @DontInline
    @Hidden
    static void meetStoringAnew(
            int tag, int writer, Object value, int node, int field, long counters, int offset) {
        long known = meet(tag, STORED, node, counters, offset);
        if (writer > 0) {
            overwritten(node, tag);
        }
        if (value == null) {
            return;
        }
        int target = SubsumeTags.tag(value);
        if (U.getInt(null, known) != (target | DECIDED)) {
            refers(tag, field, target);
            U.putInt(null, known, target | DECIDED);
        }
    }

    /** What was written to an object with this tag before has not been read. */
    @DontInline
    @Hidden
    private static void overwritten(int node, int tag) {
        count(node, tag, OVERWRITTEN, 1);
    }

    /** A location refers to an object with this tag. */
    @DontInline
    @Hidden
    static void refers(int tag, int field, int target) {
        long location = (long) tag << 32 | field;
        if (location != 0) {
            add(SubsumeDataflow.entry(location, (long) target << 32 | REFERS), 1);
        }
    }

    /** Elements refer to the objects that are in the array now, which has this tag. */
    @Hidden
    static void refersToAll(Object[] array, int start, int length, int tag, int node) {
        long entry = SubsumeDataflow.entry(node, (long) tag << 32 | STORED);
        for (int i = start; i < start + length && i < array.length; i++) {
            Object value = array[i];
            if (value != null) {
                int target = SubsumeTags.tag(value);
                if (U.getInt(null, entry + LAST_COMPANION) != (target | DECIDED)) {
                    refers(tag, 0, target);
                    U.putInt(null, entry + LAST_COMPANION, target | DECIDED);
                }
            }
        }
    }
}
