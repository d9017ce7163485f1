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
 * {@link SubsumeActivation} has contexts and counters.
 * Fields have their shadows in fields that the agent adds to their classes, static fields in {@link
 * SubsumeStatics}, elements of arrays in {@link SubsumeElements}.
 *
 * <p>Relations between nodes, objects and locations lie in the table of edges of {@link SubsumeDataflow}.
 */
public final class SubsumeCosts {
    static {
        bindNatives();
    }

    static final Unsafe U = Unsafe.getUnsafe();

    /** Dependences that are known to be noted, each at the place of its hash. */
    private static final long KNOWN = known();

    /** What lies from here on is not of the recording. */
    private static final long LIMIT = limit();

    private static final int KNOWN_BITS = 16;

    /** In a shadow: what was written has been read. */
    static final int READ = 1 << 31;

    /** Behind the node that made an operand last: the one before. */
    private static final int BEFORE = 4;

    /** The relation of nodes; {@link SubsumeInlineCache} has the others. */
    private static final int DEPENDS = 4;

    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private SubsumeCosts() {
    }

    // Dependences.

    /** A node uses what another one made; at the offset are the last two of these. */
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
        thread.$subsume$callee = SubsumeStack.NOTHING;
        long counter = counters + offset;
        U.putLong(null, counter, U.getLong(null, counter) + 1);
        return -1;
    }

    @DontInline
    @Hidden
    static void noteDependence(int from, int node, long counters, int offset) {
        if (U.getInt(null, counters + (offset + BEFORE)) == from) {
            return;
        }
        depend(from, node);
        if (counters < LIMIT) {
            int last = U.getInt(null, counters + offset);
            U.putInt(null, counters + (offset + BEFORE), last);
            U.putInt(null, counters + offset, from);
        }
    }

    /** The dependence is noted if it is not known yet. */
    @Hidden
    static void depend(int from, int node) {
        long key = (long) from << 32 | node;
        long place = KNOWN + (key * MIX >>> 64 - KNOWN_BITS << 3);
        if (U.getLong(null, place) != key) {
            SubsumeInlineCache.count(from, node, DEPENDS, 1);
            U.putLong(null, place, key);
        }
    }

    // Fields.

    /** A node loaded a field of this object. */
    @ForceInline
    @Hidden
    public static int loaded(Object owner, int writer, int node, long counters, int offset) {
        return SubsumeInlineCache.loadedFrom(owner, writer, node, counters, offset);
    }

    /** A node stored in a field of this object. */
    @ForceInline
    @Hidden
    public static int stored(Object owner, int writer, int node, long counters, int offset) {
        return SubsumeInlineCache.storedTo(owner, writer, node, counters, offset);
    }

    /** A node stored a reference in a field of this object. */
    @ForceInline
    @Hidden
    public static int storedReference(
            Object owner, int writer, Object value, int node, int field, long counters, int offset) {
        return SubsumeInlineCache.storedTo(owner, writer, value, node, field, counters, offset);
    }

    /** A node stored in a field of an object that is not initialised yet and will have this tag. */
    @ForceInline
    @Hidden
    public static int storedEarly(int tag, int writer, int node, long counters, int offset) {
        SubsumeInlineCache.meetStoringAnew(tag, writer, node, counters, offset);
        return node;
    }

    /** A node stored a reference in a field of an object that is not initialised yet. */
    @ForceInline
    @Hidden
    public static int storedReferenceEarly(
            int tag, int writer, Object value, int node, int field, long counters, int offset) {
        SubsumeInlineCache.meetStoringAnew(tag, writer, value, node, field, counters, offset);
        return node;
    }

    /** A node loaded a field of {@code this}. */
    @ForceInline
    @Hidden
    public static int loadedOwn(int writer, int node, long counters, int offset) {
        return SubsumeReceiverFields.loaded(writer, node, counters, offset);
    }

    /** A node stored in a field of {@code this}. */
    @ForceInline
    @Hidden
    public static int storedOwn(int writer, int node, long counters, int offset) {
        return SubsumeReceiverFields.stored(writer, node, counters, offset);
    }

    /** A node stored a reference in a field of {@code this}. */
    @ForceInline
    @Hidden
    public static int storedOwnReference(
            int writer, Object value, int node, int field, long counters, int offset) {
        SubsumeReceiverFields.refers(value, field, counters, offset);
        return SubsumeReceiverFields.stored(writer, node, counters, offset);
    }

    /** A node loaded a static field. */
    @ForceInline
    @Hidden
    public static void loadedStatic(int field, int node, long counters, int offset) {
        int number = SubsumeStatics.number(field);
        int writer = SubsumeStatics.writer(number);
        int read = SubsumeInlineCache.loadedFrom(null, writer, node, counters, offset);
        SubsumeStatics.write(number, read);
    }

    /** A node stored in a static field. */
    @ForceInline
    @Hidden
    public static void storedStatic(int field, int node, long counters, int offset) {
        int number = SubsumeStatics.number(field);
        int writer = SubsumeStatics.writer(number);
        int written = SubsumeInlineCache.storedTo(null, writer, node, counters, offset);
        SubsumeStatics.write(number, written);
    }

    /** A node stored a reference in a static field. */
    @ForceInline
    @Hidden
    public static void storedStaticReference(
            Object value, int field, int node, long counters, int offset) {
        int number = SubsumeStatics.number(field);
        int writer = SubsumeStatics.writer(number);
        int written = SubsumeInlineCache.storedTo(null, writer, value, node, number, counters, offset);
        SubsumeStatics.write(number, written);
    }

    // Elements of arrays. Probes come behind the access, which has not failed then.
    //
    // Each begins with what is usual: the array's mark leads to its place, and the access meets what its
    // inline cache has. So the mark is loaded once, and only the rest has calls.

    /** A node has loaded an element. */
    @Hidden
    public static void loadedElement(
            Object array, int index, int node, long counters, int offset) {
        int length = java.lang.reflect.Array.getLength(array);
        long mark = U.getLong(array, 0L);
        long place = SubsumeClockCache.inUse(mark);
        if (place != 0) {
            int writer = SubsumeElements.writer(place, index, length);
            if (SubsumeClockCache.isStill(place, mark)) {
                if (U.getLong(null, counters + offset) != SubsumeInlineCache.met(writer | READ, mark)) {
                    SubsumeInlineCache.meetLoading(array, writer | READ, node, counters, offset);
                }
                if (writer > 0) {
                    SubsumeElements.read(place, index, length, writer);
                    SubsumeClockCache.written(array, place);
                }
                return;
            }
        }
        loadedElementAnew(array, index, length, node, counters, offset);
    }

    /** A node has stored an element. */
    @Hidden
    public static void storedElement(
            Object array, int index, int node, long counters, int offset) {
        int length = java.lang.reflect.Array.getLength(array);
        long mark = U.getLong(array, 0L);
        long place = SubsumeClockCache.inUse(mark);
        if (place != 0) {
            int writer = SubsumeElements.writer(place, index, length);
            if (writer > 0 || U.getLong(null, counters + offset) != SubsumeInlineCache.met(READ, mark)) {
                SubsumeInlineCache.meetStoring(array, writer, node, counters, offset);
            }
            SubsumeElements.write(place, index, length, node);
            SubsumeClockCache.written(array, place);
            return;
        }
        storedElementAnew(array, index, length, node, counters, offset);
    }

    /** A node has stored a reference in an element. */
    @Hidden
    public static void storedElementReference(
            Object array, int index, Object value, int node, long counters, int offset) {
        int length = java.lang.reflect.Array.getLength(array);
        long mark = U.getLong(array, 0L);
        long place = SubsumeClockCache.inUse(mark);
        if (place != 0) {
            int writer = SubsumeElements.writer(place, index, length);
            if (writer > 0 || !SubsumeInlineCache.isUsual(mark, value, counters, offset)) {
                SubsumeInlineCache.meetStoring(array, writer, value, node, 0, counters, offset);
            }
            SubsumeElements.write(place, index, length, node);
            SubsumeClockCache.written(array, place);
            return;
        }
        storedElementReferenceAnew(array, index, length, value, node, counters, offset);
    }

    @DontInline
    @Hidden
    static void loadedElementAnew(
            Object array, int index, int length, int node, long counters, int offset) {
        long place = SubsumeClockCache.of(array);
        int writer = place == 0 ? 0 : SubsumeElements.writer(place, index, length);
        if (writer != 0 && !SubsumeClockCache.isStill(array, place)) {
            writer = 0;
        }
        SubsumeInlineCache.loadedFrom(array, writer, node, counters, offset);
        if (writer > 0) {
            SubsumeElements.read(place, index, length, writer);
            SubsumeClockCache.written(array, place);
        }
    }

    @DontInline
    @Hidden
    static void storedElementAnew(
            Object array, int index, int length, int node, long counters, int offset) {
        long place = SubsumeElements.toWrite(array);
        int writer = place == 0 ? 0 : SubsumeElements.writer(place, index, length);
        writer = SubsumeInlineCache.storedTo(array, writer, node, counters, offset);
        if (place != 0) {
            SubsumeElements.write(place, index, length, writer);
            SubsumeClockCache.written(array, place);
        }
    }

    @DontInline
    @Hidden
    static void storedElementReferenceAnew(
            Object array, int index, int length, Object value, int node, long counters, int offset) {
        long place = SubsumeElements.toWrite(array);
        int writer = place == 0 ? 0 : SubsumeElements.writer(place, index, length);
        writer = SubsumeInlineCache.storedTo(array, writer, value, node, 0, counters, offset);
        if (place != 0) {
            SubsumeElements.write(place, index, length, writer);
            SubsumeClockCache.written(array, place);
        }
    }

    /** A node copied so many elements from one array to another. */
    @Hidden
    public static void copied(Object from, int start, Object to, int end, int length, int node) {
        if (length <= 0) {
            return;
        }
        int source = SubsumeTags.tag(from);
        int target = SubsumeTags.tag(to);
        SubsumeInlineCache.count(node, source, SubsumeInlineCache.LOADED, length);
        long place = SubsumeClockCache.of(from);
        if (place != 0) {
            int size = java.lang.reflect.Array.getLength(from);
            SubsumeElements.readRange(place, start, length, size, node);
            SubsumeClockCache.written(from, place);
        }
        SubsumeInlineCache.count(node, target, SubsumeInlineCache.STORED, length);
        int size = java.lang.reflect.Array.getLength(to);
        long overwritten = SubsumeElements.writeRange(to, end, length, size, node);
        if (overwritten > 0) {
            SubsumeInlineCache.count(node, target, SubsumeInlineCache.OVERWRITTEN, overwritten);
        }
        if (to instanceof Object[]) {
            SubsumeInlineCache.refersToAll((Object[]) to, end, length, target, node);
        }
    }

    /** A node cloned an object. */
    @Hidden
    public static void cloned(Object from, Object to, int node) {
        if (from == null || to == null) {
            return;
        }
        if (SubsumeTags.isArray(from)) {
            copied(from, 0, to, 0, java.lang.reflect.Array.getLength(from), node);
            return;
        }
        long[] fields = SubsumeFields.of(to.getClass());
        int source = SubsumeTags.tag(from);
        int target = SubsumeTags.tag(to);
        for (int i = 0; i < fields.length; i += SubsumeFields.EACH) {
            long number = fields[i];
            long use = number << 32 | node;
            long shadow = fields[i + SubsumeFields.SHADOW];
            SubsumeInlineCache.count(use, source, SubsumeInlineCache.LOADED, 1);
            SubsumeInlineCache.count(use, target, SubsumeInlineCache.STORED, 1);
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
                SubsumeInlineCache.refers(target, (int) number, SubsumeTags.tag(value));
            }
        }
    }

    /** An object was cloned, unless its class has a {@code clone} of its own. */
    @Hidden
    public static void clonedUnlessOverridden(Object from, Object to, int node) {
        if (from != null && !SubsumeFields.overrideClone(from.getClass())) {
            cloned(from, to, node);
        }
    }

    /** Initialises the class; true if there is memory for what it counts. */
    static boolean canFollow() {
        return SubsumeActivation.isReady() && SubsumeInlineCache.isReady() && SubsumeReceiverFields.isReady()
                && SubsumeStatics.isReady() && SubsumeClockCache.isReady() && SubsumeFreeLists.isReady()
                && SubsumeOverflowArray.isReady() && SubsumeFields.isReady();
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    static native long base();

    private static native long known();

    static native long limit();

    static native int slots();

    static native int factor();

    /** The instance fields of a class; see {@link SubsumeFields}. */
    static native long[] fields(Class<?> type);

    /** Whether a class has a {@code clone} of its own, or of a superclass other than Object. */
    static native boolean overridesClone(Class<?> type);

    /**
     * Address of the words that lead to a tree's rows, one for each method, and of its cache behind
     * them; 0 without memory. The words are word indices, counted from {@link #noRow}.
     */
    static native long rows(int tree);

    /** Word index of the row of methods that have none. It leads to no counters. */
    static native int noRow();

    /** Address of entries, one for each slot, that lead to counters which nobody reads; 0 without. */
    static native long unread();

    /**
     * Word index of the counters of a method in a slot: for a receiver's tag with {@link
     * SubsumeTags#MARKED}, or for any if that is 0.
     */
    static native int counters(int tree, int method, int slot, int receiver);
}
