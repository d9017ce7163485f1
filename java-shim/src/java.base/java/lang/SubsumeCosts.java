package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What code calls that is instrumented for the cost graph.
 *
 * <p>A node is the number of an instruction in a context slot. The shadow of a heap location is the
 * node that wrote it last, 0 if none has; its highest bit says that the value has been read since.
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
    private static final int READ = 1 << 31;

    // Relations; profile/src/layout.rs says what they mean.
    private static final int LOADED = 1;
    private static final int STORED = 2;
    private static final int OVERWRITTEN = 3;
    private static final int DEPENDS = 4;
    private static final int REFERS = 5;

    // An offset is added to an address only where memory is accessed: passed on as a sum, it would
    // take a register from the start of the method on.

    // Behind the counters of a method in a slot lies what its instructions met last, so that they
    // need not look for it in tables. Byte offsets in there, of accesses to the heap; other
    // instructions have the nodes there that made their operands.

    /** The tag, with all bits inverted: 0 is no tag. */
    private static final int LAST_TAG = 0;

    /** Word index of the edge for this tag. */
    private static final int LAST_EDGE = 4;

    /** The last writer of what was loaded. */
    private static final int LAST_WRITER = 8;

    // Byte offsets in an entry of the table of edges.
    private static final int COUNT = 16;

    /** The tag that a store's value referred to last; of no interest to readers. */
    private static final int LAST_TARGET = 28;

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

    @Hidden
    private static void depend(int from, int node) {
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

    /** The edge from a node to objects with this tag. */
    @ForceInline
    @Hidden
    private static long effect(int node, int tag, int relation, long counters, int offset) {
        return U.getInt(null, counters + (offset + LAST_TAG)) == ~tag
                ? BASE + ((U.getInt(null, counters + (offset + LAST_EDGE)) & 0xFFFF_FFFFL) << 2)
                : findEffect(node, tag, relation, counters, offset);
    }

    @DontInline
    @Hidden
    private static long findEffect(int node, int tag, int relation, long counters, int offset) {
        long entry = SubsumeFlow.entry(node, (long) tag << 32 | relation);
        if (counters < LIMIT && entry < LIMIT) {
            U.putInt(null, counters + (offset + LAST_EDGE), (int) (entry - BASE >>> 2));
            U.putInt(null, counters + (offset + LAST_TAG), ~tag);
        }
        return entry;
    }

    @ForceInline
    @Hidden
    private static int loadedFrom(int tag, int writer, int node, long counters, int offset) {
        add(effect(node, tag, LOADED, counters, offset), 1);
        if (writer == 0) {
            return 0;
        }
        int from = writer & ~READ;
        if (U.getInt(null, counters + (offset + LAST_WRITER)) != from) {
            noteDependence(from, node, counters, offset + LAST_WRITER);
        }
        return writer | READ;
    }

    @ForceInline
    @Hidden
    private static int storedTo(int tag, int writer, int node, long counters, int offset) {
        add(effect(node, tag, STORED, counters, offset), 1);
        if (writer > 0) {
            overwritten(node, tag);
        }
        return node;
    }

    @ForceInline
    @Hidden
    private static int storedTo(
            int tag, int writer, Object value, int node, int field, long counters, int offset) {
        long entry = effect(node, tag, STORED, counters, offset);
        add(entry, 1);
        if (writer > 0) {
            overwritten(node, tag);
        }
        if (value != null) {
            int target = SubsumeTags.tag(value);
            if (U.getInt(null, entry + LAST_TARGET) != target) {
                refers(entry, tag, field, target);
            }
        }
        return node;
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
    private static void refers(long entry, int tag, int field, int target) {
        long location = (long) tag << 32 | field;
        if (location != 0) {
            add(SubsumeFlow.entry(location, (long) target << 32 | REFERS), 1);
            U.putInt(null, entry + LAST_TARGET, target);
        }
    }

    // Fields.

    /** A node loaded a field of this object. */
    @ForceInline
    @Hidden
    public static int loaded(Object owner, int writer, int node, long counters, int offset) {
        return loadedFrom(SubsumeTags.tag(owner), writer, node, counters, offset);
    }

    /** A node stored in a field of this object. */
    @ForceInline
    @Hidden
    public static int stored(Object owner, int writer, int node, long counters, int offset) {
        return storedTo(SubsumeTags.tag(owner), writer, node, counters, offset);
    }

    /** Likewise, a reference. */
    @ForceInline
    @Hidden
    public static int storedReference(
            Object owner, int writer, Object value, int node, int field, long counters, int offset) {
        return storedTo(SubsumeTags.tag(owner), writer, value, node, field, counters, offset);
    }

    /** Likewise, in an object that is not initialised yet and will have this tag. */
    @ForceInline
    @Hidden
    public static int storedEarly(int tag, int writer, int node, long counters, int offset) {
        return storedTo(tag, writer, node, counters, offset);
    }

    /** Likewise, a reference. */
    @ForceInline
    @Hidden
    public static int storedReferenceEarly(
            int tag, int writer, Object value, int node, int field, long counters, int offset) {
        return storedTo(tag, writer, value, node, field, counters, offset);
    }

    /** A node loaded a static field. */
    @ForceInline
    @Hidden
    public static void loadedStatic(int field, int node, long counters, int offset) {
        long shadow = STATICS + ((long) field << 2);
        U.putInt(null, shadow, loadedFrom(0, U.getInt(null, shadow), node, counters, offset));
    }

    /** A node stored in a static field. */
    @ForceInline
    @Hidden
    public static void storedStatic(int field, int node, long counters, int offset) {
        long shadow = STATICS + ((long) field << 2);
        U.putInt(null, shadow, storedTo(0, U.getInt(null, shadow), node, counters, offset));
    }

    /** Likewise, a reference. */
    @ForceInline
    @Hidden
    public static void storedStaticReference(
            Object value, int field, int node, long counters, int offset) {
        long shadow = STATICS + ((long) field << 2);
        int writer = U.getInt(null, shadow);
        U.putInt(null, shadow, storedTo(0, writer, value, node, field, counters, offset));
    }

    // Elements of arrays. Probes come before the access, which may still fail.

    /** A node is about to load an element. */
    @Hidden
    public static void loadedElement(Object array, int index, int node, long counters, int offset) {
        if (isWithin(array, index)) {
            SubsumeElements elements = SubsumeElements.of(array);
            if (elements == null) {
                loadedFrom(SubsumeTags.tag(array), 0, node, counters, offset);
            } else {
                int at = index >>> elements.shift;
                int writer = elements.writers[at];
                elements.writers[at] =
                        loadedFrom(SubsumeTags.tag(array), writer, node, counters, offset);
            }
        }
    }

    /** A node is about to store an element. */
    @Hidden
    public static void storedElement(Object array, int index, int node, long counters, int offset) {
        if (isWithin(array, index)) {
            SubsumeElements elements = SubsumeElements.toWrite(array);
            int at = elements == null ? 0 : index >>> elements.shift;
            int writer = elements == null ? 0 : elements.writers[at];
            writer = storedTo(SubsumeTags.tag(array), writer, node, counters, offset);
            if (elements != null) {
                elements.writers[at] = writer;
            }
        }
    }

    /** Likewise, a reference. */
    @Hidden
    public static void storedElementReference(
            Object array, int index, Object value, int node, long counters, int offset) {
        if (isWithin(array, index)
                && (value == null || array.getClass().getComponentType().isInstance(value))) {
            SubsumeElements elements = SubsumeElements.toWrite(array);
            int at = elements == null ? 0 : index >>> elements.shift;
            int writer = elements == null ? 0 : elements.writers[at];
            writer = storedTo(SubsumeTags.tag(array), writer, value, node, 0, counters, offset);
            if (elements != null) {
                elements.writers[at] = writer;
            }
        }
    }

    @ForceInline
    @Hidden
    private static boolean isWithin(Object array, int index) {
        return array != null && index >= 0 && index < java.lang.reflect.Array.getLength(array);
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
        SubsumeElements read = SubsumeElements.of(from);
        if (read != null) {
            int last = 0;
            for (int i = start >>> read.shift; i <= start + length - 1 >>> read.shift; i++) {
                int writer = read.writers[i];
                if (writer != 0) {
                    if ((writer & ~READ) != last) {
                        last = writer & ~READ;
                        depend(last, node);
                    }
                    read.writers[i] = writer | READ;
                }
            }
        }
        add(SubsumeFlow.entry(node, (long) target << 32 | STORED), length);
        SubsumeElements written = SubsumeElements.toWrite(to);
        if (written != null) {
            long overwritten = 0;
            for (int i = end >>> written.shift; i <= end + length - 1 >>> written.shift; i++) {
                overwritten += written.writers[i] > 0 ? 1 : 0;
                written.writers[i] = node;
            }
            if (overwritten > 0) {
                add(SubsumeFlow.entry(node, (long) target << 32 | OVERWRITTEN), overwritten);
            }
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
                if (U.getInt(null, entry + LAST_TARGET) != target) {
                    refers(entry, tag, 0, target);
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
                if (writer != 0) {
                    depend(writer & ~READ, node);
                    U.putInt(from, shadow, writer | READ);
                }
                // The JVM has copied the one of the original.
                U.putInt(to, shadow, node);
            }
            long reference = fields[i + SubsumeFields.REFERENCE];
            Object value = reference == 0 ? null : U.getReference(to, reference);
            if (value != null) {
                refers(stored, target, (int) number, SubsumeTags.tag(value));
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
