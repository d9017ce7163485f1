package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What code calls that is instrumented for the cost graph.
 *
 * <p>A node is the number of an instruction in a context slot. The shadow of a heap location is the
 * node that wrote it last, 0 if that is not known; its highest bit says that the value has been read
 * since.
 * Fields have their shadows in fields that the agent adds to their classes, static fields in a table
 * by number, elements of arrays in {@link SubsumeElements}.
 *
 * <p>Relations between nodes, objects and locations lie in the table of edges of {@link SubsumeFlow}.
 */
public final class SubsumeCosts {
    static {
        bindNatives();
    }

    private static final Unsafe U = Unsafe.getUnsafe();

    private static final long BASE = base();

    /** For each static field, its shadow. */
    private static final long STATICS = table(0);

    /** Dependences that are known to be noted, each at the place of its hash. */
    private static final long KNOWN = table(1);

    /** What lies from here on is not of the recording. */
    private static final long LIMIT = table(2);

    private static final int KNOWN_BITS = 16;

    private static final int SLOTS = slots();

    /** 1 where a context depends on the caller's, else 0. */
    private static final int FACTOR = factor();

    /** In a shadow: what was written has been read. */
    static final int READ = 1 << 31;

    // Relations; profile/src/layout.rs says what they mean.
    private static final int LOADED = 1;
    private static final int STORED = 2;
    private static final int OVERWRITTEN = 3;
    private static final int DEPENDS = 4;
    private static final int REFERS = 5;

    // An offset is added to an address only where memory is accessed: passed on as a sum, it would
    // take a register from the start of the method on.

    // Behind the counters of a method in a slot lies what its instructions met, so that they need not
    // look for it in tables; of accesses to the heap, what follows, at these byte offsets. Other
    // instructions have the nodes there that made their operands.
    //
    // The tag that an access meets usually is not counted: it was met whenever the instruction was
    // executed, which the counters say, but for the times when it met others. These count for the
    // edges of the other tags.

    /** The usual tag: 0 before the first encounter, else with one of the two bits that follow. */
    private static final int USUAL = 0;

    /** The access will keep this usual tag. Its other bits are those of a mark with the tag. */
    private static final int DECIDED = SubsumeTags.MARKED;

    /** The access may still take another one. */
    private static final int CANDIDATE = DECIDED << 1;

    /**
     * What else makes an encounter the usual one: of a load, the last writer, read; of a store, the
     * tag of the object that the value refers to, with {@link #DECIDED}, and {@link #READ} where there
     * are no references.
     */
    private static final int COMPANION = 4;

    /** Any companion will do. */
    private static final int ANY = -1;

    /** How many encounters there have been; once decided, how often others than the usual tag. */
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

    /** Binary logarithm of the counters' addresses in a page of {@link #counters}. */
    private static final int PAGE_BITS = 10;

    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private SubsumeCosts() {
    }

    // Contexts.

    /** The caller's context. */
    @ForceInline
    @Hidden
    public static int outer() {
        return Thread.currentThread().$subsume$chain;
    }

    /** The context of a method with this receiver. */
    @ForceInline
    @Hidden
    public static int chain(int outer, Object receiver) {
        return chainOf(outer, SubsumeTags.tag(receiver));
    }

    /** The context of a method whose receiver has this tag. */
    @ForceInline
    @Hidden
    public static int chainOf(int outer, int tag) {
        return SubsumeTags.chainOf(FACTOR * outer, tag);
    }

    /** Methods that are called from now on have this context around theirs. */
    @ForceInline
    @Hidden
    public static void within(int chain) {
        Thread.currentThread().$subsume$chain = chain;
    }

    /** The slot of a context. */
    @ForceInline
    @Hidden
    public static int slot(int chain) {
        return chain == 0 || SLOTS == 0 ? 0 : 1 + chain % SLOTS;
    }

    /** Address of the counters of a method in a slot. */
    @ForceInline
    @Hidden
    public static long counters(int method, int slot) {
        int key = method * (SLOTS + 1) + slot;
        long pages = Thread.currentThread().$subsume$frequencies;
        if (pages != 0) {
            int page = U.getInt(null, pages + (key >>> PAGE_BITS << 2));
            if (page != 0) {
                long at = BASE + ((page & 0xFFFF_FFFFL) << 2);
                int counters = U.getInt(null, at + ((key & (1 << PAGE_BITS) - 1) << 2));
                if (counters != 0) {
                    return BASE + ((counters & 0xFFFF_FFFFL) << 2);
                }
            }
        }
        return makeCounters(method, slot);
    }

    @DontInline
    @Hidden
    private static long makeCounters(int method, int slot) {
        Thread thread = Thread.currentThread();
        int tree = SubsumeRuntime.tree(thread);
        int counters = counters(tree, method, slot);
        thread.$subsume$frequencies = pages(tree);
        return BASE + ((counters & 0xFFFF_FFFFL) << 2);
    }

    // Dependences.

    /** A node uses what another one made; at the offset is the one that it used last. */
    @ForceInline
    @Hidden
    public static void depends(long from, int node, long counters, int offset) {
        if (from != 0 && U.getInt(null, counters + offset) != (int) from) {
            noteDependence((int) from, node, counters, offset);
        }
    }

    /**
     * A call has returned. Nobody took its arguments if it was native; then it is counted, and all
     * bits are returned, else 0.
     */
    @ForceInline
    @Hidden
    public static int wasNative(long counters, int offset, int callee) {
        Thread thread = Thread.currentThread();
        if (thread.$subsume$callee != callee) {
            return 0;
        }
        thread.$subsume$callee = 1;
        add(counters + offset - COUNT, 1);
        return -1;
    }

    @DontInline
    @Hidden
    private static void noteDependence(int from, int node, long counters, int offset) {
        depend(from, node);
        if (counters < LIMIT) {
            U.putInt(null, counters + offset, from);
        }
    }

    /** The dependence is noted if it is not known yet. */
    @Hidden
    static void depend(int from, int node) {
        long key = (long) from << 32 | node;
        long place = KNOWN + (key * MIX >>> 64 - KNOWN_BITS << 3);
        if (U.getLong(null, place) != key) {
            add(SubsumeFlow.entry(from, (long) node << 32 | DEPENDS), 1);
            U.putLong(null, place, key);
        }
    }

    @ForceInline
    @Hidden
    private static void add(long entry, long amount) {
        U.putLong(null, entry + COUNT, U.getLong(null, entry + COUNT) + amount);
    }

    // Heap locations in general. What is passed as the writer is the location's shadow; what is
    // returned becomes it.

    /**
     * A node met a tag, and it is not the usual encounter. Returns where its companion is kept: beside
     * the usual tag, if the tag is that one or may become it, else with the edge that it counts for.
     */
    @Hidden
    private static long meet(int tag, int relation, int node, long counters, int offset) {
        long to = (long) tag << 32 | relation;
        if (counters >= LIMIT) {
            // Nobody reads these counters.
            long entry = SubsumeFlow.entry(node, to);
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
            add(SubsumeFlow.entry(node, (long) (usual & ~DECIDED) << 32 | relation), others - 1L);
            others = 1;
        }
        long edge = SubsumeFlow.entry(node, to);
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
            add(SubsumeFlow.entry(node, (long) tag << 32 | relation), -before);
            U.putInt(null, counters + (offset + COMPANION), 0);
        }
        U.putInt(null, counters + (offset + OTHERS), isDecided ? 0 : before + 1);
        U.putInt(null, counters + (offset + USUAL), tag | (isDecided ? DECIDED : CANDIDATE));
        if (isNew) {
            add(SubsumeFlow.entry(node, (long) (usual & ~CANDIDATE) << 32 | relation), before);
        }
    }

    /** A node loaded from an object; null where it is a static field. */
    @ForceInline
    @Hidden
    private static int loadedFrom(Object owner, int writer, int node, long counters, int offset) {
        int read = writer | READ;
        long met = (long) read << 32 | SubsumeTags.marked(owner);
        if (U.getLong(null, counters + offset) != met) {
            meetLoading(owner, read, node, counters, offset);
        }
        return read;
    }

    @DontInline
    @Hidden
    private static void meetLoading(Object owner, int read, int node, long counters, int offset) {
        if (!meetOther(SubsumeTags.marked(owner), read, LOADED, counters, offset)) {
            meetLoadingAnew(SubsumeTags.tag(owner), read, node, counters, offset);
        }
    }

    @DontInline
    @Hidden
    private static void meetLoadingAnew(int tag, int read, int node, long counters, int offset) {
        long known = meet(tag, LOADED, node, counters, offset);
        if (U.getInt(null, known) != read) {
            if (read != READ) {
                depend(read & ~READ, node);
            }
            U.putInt(null, known, read);
        }
    }

    /** A node stored in an object; null where it is a static field. */
    @ForceInline
    @Hidden
    private static int storedTo(Object owner, int writer, int node, long counters, int offset) {
        long met = (long) READ << 32 | SubsumeTags.marked(owner);
        if (writer > 0 || U.getLong(null, counters + offset) != met) {
            meetStoring(owner, writer, node, counters, offset);
        }
        return node;
    }

    @DontInline
    @Hidden
    private static void meetStoring(Object owner, int writer, int node, long counters, int offset) {
        if (writer > 0
                || !meetOther(SubsumeTags.marked(owner), READ, STORED, counters, offset)) {
            meetStoringAnew(SubsumeTags.tag(owner), writer, node, counters, offset);
        }
    }

    @DontInline
    @Hidden
    private static void meetStoringAnew(int tag, int writer, int node, long counters, int offset) {
        long known = meet(tag, STORED, node, counters, offset);
        U.putInt(null, known, READ);
        if (writer > 0) {
            overwritten(node, tag);
        }
    }

    /** Likewise, a reference. */
    @ForceInline
    @Hidden
    private static int storedTo(
            Object owner, int writer, Object value, int node, int field, long counters, int offset) {
        // Null makes no difference.
        int target = value == null
                ? U.getInt(null, counters + (offset + COMPANION)) : SubsumeTags.marked(value);
        long met = (long) target << 32 | SubsumeTags.marked(owner);
        if (writer > 0 || U.getLong(null, counters + offset) != met) {
            meetStoring(owner, writer, value, node, field, counters, offset);
        }
        return node;
    }

    @DontInline
    @Hidden
    private static void meetStoring(
            Object owner, int writer, Object value, int node, int field, long counters, int offset) {
        int target = value == null ? ANY : SubsumeTags.marked(value);
        if (writer > 0
                || !meetOther(SubsumeTags.marked(owner), target, STORED, counters, offset)) {
            meetStoringAnew(SubsumeTags.tag(owner), writer, value, node, field, counters, offset);
        }
    }

    @DontInline
    @Hidden
    private static void meetStoringAnew(
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
        add(SubsumeFlow.entry(node, (long) tag << 32 | OVERWRITTEN), 1);
    }

    /** A location refers to an object with this tag. */
    @DontInline
    @Hidden
    private static void refers(int tag, int field, int target) {
        long location = (long) tag << 32 | field;
        if (location != 0) {
            add(SubsumeFlow.entry(location, (long) target << 32 | REFERS), 1);
        }
    }

    // Fields.

    /** A node loaded a field of this object. */
    @ForceInline
    @Hidden
    public static int loaded(Object owner, int writer, int node, long counters, int offset) {
        return loadedFrom(owner, writer, node, counters, offset);
    }

    /** A node stored in a field of this object. */
    @ForceInline
    @Hidden
    public static int stored(Object owner, int writer, int node, long counters, int offset) {
        return storedTo(owner, writer, node, counters, offset);
    }

    /** Likewise, a reference. */
    @ForceInline
    @Hidden
    public static int storedReference(
            Object owner, int writer, Object value, int node, int field, long counters, int offset) {
        return storedTo(owner, writer, value, node, field, counters, offset);
    }

    /** Likewise, in an object that is not initialised yet and will have this tag. */
    @ForceInline
    @Hidden
    public static int storedEarly(int tag, int writer, int node, long counters, int offset) {
        meetStoringAnew(tag, writer, node, counters, offset);
        return node;
    }

    /** Likewise, a reference. */
    @ForceInline
    @Hidden
    public static int storedReferenceEarly(
            int tag, int writer, Object value, int node, int field, long counters, int offset) {
        meetStoringAnew(tag, writer, value, node, field, counters, offset);
        return node;
    }

    /** A node loaded a static field. */
    @ForceInline
    @Hidden
    public static void loadedStatic(int field, int node, long counters, int offset) {
        long shadow = STATICS + ((long) field << 2);
        U.putInt(null, shadow, loadedFrom(null, U.getInt(null, shadow), node, counters, offset));
    }

    /** A node stored in a static field. */
    @ForceInline
    @Hidden
    public static void storedStatic(int field, int node, long counters, int offset) {
        long shadow = STATICS + ((long) field << 2);
        U.putInt(null, shadow, storedTo(null, U.getInt(null, shadow), node, counters, offset));
    }

    /** Likewise, a reference. */
    @ForceInline
    @Hidden
    public static void storedStaticReference(
            Object value, int field, int node, long counters, int offset) {
        long shadow = STATICS + ((long) field << 2);
        int writer = U.getInt(null, shadow);
        U.putInt(null, shadow, storedTo(null, writer, value, node, field, counters, offset));
    }

    // Elements of arrays. Probes come before the access, which may still fail. They return what is
    // known of the array's elements, null if nothing is; a method that accesses several gives it back.

    /** A node is about to load an element. */
    @Hidden
    public static Object loadedElement(
            Object array, int index, Object known, int node, long counters, int offset) {
        int length = lengthFor(array, index);
        SubsumeElements elements = (SubsumeElements) known;
        if (length != 0) {
            elements = SubsumeElements.of(array, known);
            int writer = elements == null ? 0 : elements.writer(index, length);
            loadedFrom(array, writer, node, counters, offset);
            if (writer > 0) {
                elements.read(index, length, writer);
            }
        }
        return elements;
    }

    /** A node is about to store an element. */
    @Hidden
    public static Object storedElement(
            Object array, int index, Object known, int node, long counters, int offset) {
        int length = lengthFor(array, index);
        SubsumeElements elements = (SubsumeElements) known;
        if (length != 0) {
            elements = SubsumeElements.toWrite(array, known, length);
            int writer = elements == null ? 0 : elements.writer(index, length);
            writer = storedTo(array, writer, node, counters, offset);
            if (elements != null) {
                elements.write(index, length, writer);
            }
        }
        return elements;
    }

    /** Likewise, a reference. */
    @Hidden
    public static Object storedElementReference(
            Object array,
            int index,
            Object value,
            Object known,
            int node,
            long counters,
            int offset) {
        int length = lengthFor(array, index);
        SubsumeElements elements = (SubsumeElements) known;
        if (length != 0
                && (value == null || array.getClass().getComponentType().isInstance(value))) {
            elements = SubsumeElements.toWrite(array, known, length);
            int writer = elements == null ? 0 : elements.writer(index, length);
            writer = storedTo(array, writer, value, node, 0, counters, offset);
            if (elements != null) {
                elements.write(index, length, writer);
            }
        }
        return elements;
    }

    /** The length of an array that has an element of this index, else 0. */
    @ForceInline
    @Hidden
    private static int lengthFor(Object array, int index) {
        if (array == null) {
            return 0;
        }
        int length = java.lang.reflect.Array.getLength(array);
        return index >= 0 && index < length ? length : 0;
    }

    /** A node copied so many elements from one array to another. */
    @Hidden
    public static void copied(Object from, int start, Object to, int end, int length, int node) {
        if (length <= 0) {
            return;
        }
        int source = SubsumeTags.tag(from);
        int target = SubsumeTags.tag(to);
        add(SubsumeFlow.entry(node, (long) source << 32 | LOADED), length);
        SubsumeElements elements = SubsumeElements.of(from);
        if (elements != null) {
            elements.readRange(start, length, java.lang.reflect.Array.getLength(from), node);
        }
        add(SubsumeFlow.entry(node, (long) target << 32 | STORED), length);
        int size = java.lang.reflect.Array.getLength(to);
        long overwritten = SubsumeElements.writeRange(to, end, length, size, node);
        if (overwritten > 0) {
            add(SubsumeFlow.entry(node, (long) target << 32 | OVERWRITTEN), overwritten);
        }
        if (to instanceof Object[]) {
            refersToAll((Object[]) to, end, length, target, node);
        }
    }

    @Hidden
    private static void refersToAll(Object[] array, int start, int length, int tag, int node) {
        long entry = SubsumeFlow.entry(node, (long) tag << 32 | STORED);
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

    /** A node cloned an object. */
    @Hidden
    public static void cloned(Object from, Object to, int node) {
        if (from == null || to == null) {
            return;
        }
        if (to.getClass().isArray()) {
            copied(from, 0, to, 0, java.lang.reflect.Array.getLength(to), node);
            return;
        }
        long[] fields = SubsumeFields.of(to.getClass());
        int source = SubsumeTags.tag(from);
        int target = SubsumeTags.tag(to);
        for (int i = 0; i < fields.length; i += SubsumeFields.EACH) {
            long number = fields[i];
            long use = number << 32 | node;
            long shadow = fields[i + SubsumeFields.SHADOW];
            add(SubsumeFlow.entry(use, (long) source << 32 | LOADED), 1);
            long stored = SubsumeFlow.entry(use, (long) target << 32 | STORED);
            add(stored, 1);
            if (shadow != 0) {
                int writer = U.getInt(from, shadow);
                if ((writer & ~READ) != 0) {
                    depend(writer & ~READ, node);
                    U.putInt(from, shadow, writer | READ);
                }
                // The JVM has copied the one of the original.
                U.putInt(to, shadow, node);
            }
            long reference = fields[i + SubsumeFields.REFERENCE];
            Object value = reference == 0 ? null : U.getReference(to, reference);
            if (value != null) {
                refers(target, (int) number, SubsumeTags.tag(value));
            }
        }
    }

    /** An array of this length has one last writer for several elements. */
    @Hidden
    static void share(int length) {
        long shared = shared();
        U.getAndAddLong(null, shared, 1);
        U.getAndAddLong(null, shared + 8, length);
    }

    /** Initialises the class; true if there is memory for what it counts. */
    static boolean canFollow() {
        return BASE != 0 && SubsumeElements.isReady() && SubsumeFields.isReady();
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    private static native long base();

    private static native long table(int number);

    private static native int slots();

    private static native int factor();

    /** The instance fields of a class; see {@link SubsumeFields}. */
    static native long[] fields(Class<?> type);

    /** Address of the counters of what shares last writers. */
    private static native long shared();

    /** Address of the words that lead to the pages of a tree's counters. */
    private static native long pages(int tree);

    /** Word index of the counters of a method in a slot. */
    private static native int counters(int tree, int method, int slot);
}
