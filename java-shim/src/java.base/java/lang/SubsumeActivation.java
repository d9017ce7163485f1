package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What a method that is instrumented for the cost graph does first: it finds its context, that is
 * the hashed chain of receivers, its slot, and the counters of its basic blocks there.
 *
 * <p>All three follow from the method, the tag of its receiver and the caller's context. So each thread
 * has a direct-mapped cache of what it has found, and most activations take one comparison.
 *
 * <p>A block of counters belongs to a method in a slot; where the method has counters for each tag of
 * its receiver, to one of these. Each method of a thread's tree has a row, in which a word for each slot
 * leads to the block that was used last; the others make a ring with it. Where there is one for each
 * tag, these are divided among {@link #WAYS} words, as in a cache with so many ways, and so many rings. A
 * table of the tree says where the rows are, so that a thread takes little memory for the methods that
 * it does not execute.
 */
public final class SubsumeActivation {
    static final Unsafe U = Unsafe.getUnsafe();

    private static final long BASE = SubsumeCosts.base();

    /** What lies from here on is not of the recording. */
    private static final long LIMIT = SubsumeCosts.limit();

    private static final int SLOTS = SubsumeCosts.slots();

    /** The row of methods that have no counters yet. */
    private static final int NO_ROW = SubsumeCosts.noRow();

    /**
     * Entries of the slots that lead to counters which nobody reads: for threads without memory, and
     * while nothing is recorded.
     */
    private static final long UNREAD = SubsumeCosts.unread();

    /** 1 where a context depends on the caller's, else 0. */
    private static final int FACTOR = SubsumeCosts.factor();

    // Byte offsets of what a block of counters says of itself, from the first counter on.
    private static final int RECEIVER = -4;
    private static final int WORDS_BEHIND = -8;
    private static final int COUNTERS = -12;
    private static final int OTHER = -16;
    private static final int SLOT = -24;

    // The cache of a thread, behind the words that lead to its rows; as in
    // crates/instrument/src/dataflow/costs/cache.rs.

    private static final int CACHE = 1 << 21;
    private static final int ENTRIES = 1 << 12;
    private static final int LOG_OF_ENTRY = 5;

    /**
     * Methods with a receiver and a context in common, and numbers that are next to each other, are so
     * many entries apart. Times a number it is an int: C2 multiplies constants before the code runs only
     * if the product is an int.
     */
    private static final int SPREAD = 2_531;

    // Byte offsets in an entry.
    private static final int KEY = 0;
    private static final int FOUND = 8;
    private static final int CHAIN = 16;
    private static final int FOUND_SLOT = 20;

    /** Bits of a method's number in a key. */
    private static final int METHOD_BITS = 19;

    /** In place of what {@link SubsumeTags#marked} returns for a receiver, which it never is. */
    private static final int NO_RECEIVER = -1;

    // What is known of a method when it begins; as in crates/instrument/src/dataflow/methods/activation.rs.

    /** It has counters for each tag of its receiver. */
    private static final int BY_RECEIVER = 1;

    /** What it calls has its context around its own. */
    private static final int CHANGES_CONTEXT = 2;

    /** Words for each slot of a method that is {@link #BY_RECEIVER}, of which the tag says one. */
    private static final int WAYS = 4;

    /** The number of other counters of a method and slot that are tried before a table is. */
    private static final int FEW = 4;

    /** What leads to a block of counters in the table of edges. */
    private static final int BLOCK_OF = 6;

    private SubsumeActivation() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return BASE != 0;
    }

    // Contexts.

    /** The caller's context. */
    @ForceInline
    @Hidden
    public static int outer() {
        return Thread.currentThread().$subsume$chain;
    }

    /** Methods that are called from now on have this context around theirs. */
    @ForceInline
    @Hidden
    public static void within(int chain) {
        Thread.currentThread().$subsume$chain = chain;
    }

    /** Methods that are called from now on have the context of a method whose receiver has this tag. */
    @ForceInline
    @Hidden
    public static void withinObject(int tag, int outer) {
        Thread.currentThread().$subsume$chain = chainOf(outer, tag);
    }

    /** The context of a method whose receiver has this tag. */
    @ForceInline
    @Hidden
    static int chainOf(int outer, int tag) {
        return SubsumeTags.chainOf(FACTOR * outer, tag);
    }

    /** The slot of a context. */
    @ForceInline
    @Hidden
    static int slotOf(int chain) {
        return chain == 0 || SLOTS == 0 ? 0 : 1 + chain % SLOTS;
    }

    // Entries of the cache.

    /**
     * A method of this object begins. Returns the address of an entry of the cache, which leads to its
     * counters in its slot: those for the object's tag if it is {@link #BY_RECEIVER}, else those for any.
     */
    @ForceInline
    @Hidden
    public static long begin(Object self, int method, int how) {
        return begin(self, SubsumeTags.marked(self), method, how);
    }

    /** A constructor of an object that will have this tag begins. Returns an entry as {@code begin} does. */
    @ForceInline
    @Hidden
    public static long beginEarly(int tag, int method, int how) {
        return begin(null, tag | SubsumeTags.MARKED, method, how);
    }

    @ForceInline
    @Hidden
    static long begin(Object self, int receiver, int method, int how) {
        Thread thread = Thread.currentThread();
        long rows = thread.$subsume$frequencies;
        int outer = thread.$subsume$chain;
        if (rows != 0) {
            long entry = entry(rows, receiver, outer, method);
            if (U.getLong(null, entry + KEY) == key(receiver, outer, method)) {
                if ((how & CHANGES_CONTEXT) != 0) {
                    thread.$subsume$chain = U.getInt(null, entry + CHAIN);
                }
                return entry;
            }
        }
        return beginOther(self, receiver, method, how);
    }

    /** A static method begins. */
    @ForceInline
    @Hidden
    public static long beginStatic(int method) {
        return begin(null, NO_RECEIVER, method, 0);
    }

    /** The address of the counters that an entry leads to. */
    @ForceInline
    @Hidden
    public static long counters(long entry) {
        return U.getLong(null, entry + FOUND);
    }

    /** Their slot. */
    @ForceInline
    @Hidden
    public static int slot(long entry) {
        return U.getInt(null, entry + FOUND_SLOT);
    }

    /** What tells a method, its receiver and its caller's context from others; never 0. */
    @ForceInline
    @Hidden
    static long key(int receiver, int outer, int method) {
        return (long) receiver << SubsumeTags.OWNER_BITS + METHOD_BITS | (long) outer << METHOD_BITS | method;
    }

    /** The entry for a key. */
    @ForceInline
    @Hidden
    static long entry(long rows, int receiver, int outer, int method) {
        int hash = receiver + outer + method * SPREAD;
        return rows + CACHE + ((long) (hash & ENTRIES - 1) << LOG_OF_ENTRY);
    }

    /** What begins now is not in the cache: it gets an entry. */
    @DontInline
    @Hidden
    static long beginOther(Object self, int known, int method, int how) {
        Thread thread = Thread.currentThread();
        int outer = thread.$subsume$chain;
        int receiver = known;
        int chain = outer;
        if (known != NO_RECEIVER) {
            // The mark of an object that is locked does not tell its tag.
            int tag = known >= SubsumeTags.MARKED
                    ? known - SubsumeTags.MARKED : SubsumeTags.tag(self);
            receiver = tag | SubsumeTags.MARKED;
            chain = chainOf(outer, tag);
            if ((how & CHANGES_CONTEXT) != 0) {
                thread.$subsume$chain = chain;
            }
        }
        int slot = slotOf(chain);
        int wanted = (how & BY_RECEIVER) != 0 ? receiver : 0;
        long rows = thread.$subsume$frequencies;
        int row = rows == 0 ? 0 : row(rows, method);
        long counters = counters(method, slot, wanted);
        if (wanted != 0 && U.getInt(null, counters + RECEIVER) != wanted) {
            counters = countersOfOther(counters, method, wanted);
        }
        rows = thread.$subsume$frequencies;
        if (rows == 0 || counters >= LIMIT) {
            return UNREAD + ((long) slot << LOG_OF_ENTRY);
        }
        long entry = entry(rows, receiver, outer, method);
        U.putLong(null, entry + FOUND, counters);
        U.putInt(null, entry + CHAIN, chain);
        U.putInt(null, entry + FOUND_SLOT, slot);
        U.putLong(null, entry + KEY, row == 0 ? 0 : key(receiver, outer, method));
        // The counters were given up meanwhile if the method has been rewritten. Who does so takes the
        // row first and then looks for entries.
        U.fullFence();
        if (row(rows, method) != row) {
            U.putLong(null, entry + KEY, 0);
        }
        return entry;
    }

    // Counters.

    /** The counters of a constructor that has initialised {@code this}; before, it had these. */
    @ForceInline
    @Hidden
    public static long initialised(Object made, long counters, int method) {
        return U.getInt(null, counters + RECEIVER) == SubsumeTags.marked(made)
                ? counters : otherWasMade(made, counters, method);
    }

    @DontInline
    @Hidden
    static long otherWasMade(Object made, long counters, int method) {
        int receiver = SubsumeTags.tag(made) | SubsumeTags.MARKED;
        return U.getInt(null, counters + RECEIVER) == receiver
                ? counters : countersOfOther(counters, method, receiver);
    }

    /** The counters of a method in a slot that were used last, or new ones. */
    @ForceInline
    @Hidden
    static long counters(int method, int slot, int receiver) {
        long rows = Thread.currentThread().$subsume$frequencies;
        if (rows != 0) {
            int counters = U.getInt(null, way(rows, method, slot, receiver));
            if (counters != 0) {
                return at(counters);
            }
        }
        return makeCounters(method, slot, receiver);
    }

    /**
     * Where the word is that leads to the counters of a method in a slot, for a receiver with this
     * tag; 0 for any.
     */
    @ForceInline
    @Hidden
    private static long way(long rows, int method, int slot, int receiver) {
        int word = (receiver & WAYS - 1) * (SLOTS + 1) + slot;
        return at(NO_ROW + row(rows, method)) + ((long) word << 2);
    }

    /** The row of a method; see {@link SubsumeCosts#rows}. */
    @ForceInline
    @Hidden
    private static int row(long rows, int method) {
        return U.getInt(null, rows + ((long) method << 2));
    }

    /** Address of a word of the recording. */
    @ForceInline
    @Hidden
    private static long at(int word) {
        return BASE + ((word & 0xFFFF_FFFFL) << 2);
    }

    @DontInline
    @Hidden
    private static long makeCounters(int method, int slot, int receiver) {
        Thread thread = Thread.currentThread();
        int tree = SubsumeRuntime.tree(thread);
        int made = SubsumeCosts.counters(tree, method, slot, receiver);
        thread.$subsume$frequencies = SubsumeCosts.rows(tree);
        long counters = at(made);
        if (receiver != 0 && counters < LIMIT) {
            long known = SubsumeInlineCache.place(block(method, slot), receiver, BLOCK_OF);
            U.putInt(null, known, made);
        }
        return counters;
    }

    /** The counters of another receiver than these of the method in its slot. */
    @DontInline
    @Hidden
    private static long countersOfOther(long last, int method, int receiver) {
        int slot = U.getInt(null, last + SLOT);
        long rows = Thread.currentThread().$subsume$frequencies;
        if (last >= LIMIT || rows == 0) {
            return last;
        }
        long way = way(rows, method, slot, receiver);
        int before = U.getInt(null, way);
        int index = before;
        for (int i = 1; i < FEW && index != 0 && U.getInt(null, at(index) + RECEIVER) != receiver; i++) {
            index = U.getInt(null, at(index) + OTHER);
        }
        if (index == 0 || U.getInt(null, at(index) + RECEIVER) != receiver) {
            long known = SubsumeInlineCache.place(block(method, slot), receiver, BLOCK_OF);
            index = U.getInt(null, known);
            if (known >= LIMIT || index == 0 || !isAsLarge(at(index), last)) {
                return makeCounters(method, slot, receiver);
            }
        }
        // Unless they were given up meanwhile, because the method has been rewritten.
        if (index != before) {
            U.compareAndSetInt(null, way, before, index);
        }
        return at(index);
    }

    @ForceInline
    @Hidden
    private static long block(int method, int slot) {
        return (long) method << 32 | slot + 1;
    }

    @ForceInline
    @Hidden
    private static boolean isAsLarge(long counters, long others) {
        return U.getInt(null, counters + COUNTERS) == U.getInt(null, others + COUNTERS)
                && U.getInt(null, counters + WORDS_BEHIND) == U.getInt(null, others + WORDS_BEHIND);
    }

    /** The tag of the receiver that these counters are for. */
    @ForceInline
    @Hidden
    static int receiver(long counters) {
        return U.getInt(null, counters + RECEIVER) & ~SubsumeTags.MARKED;
    }
}
