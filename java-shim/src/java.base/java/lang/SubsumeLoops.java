package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What code calls that is instrumented for similar memory accesses in loops: iterations, reads and
 * writes become events in a buffer of the thread, outside the Java heap, which the agent judges when
 * it is full. crates/online/src/loops/events.rs says what events look like.
 *
 * <p>A thread has a number of loops that it is in, its depth. A method that has loops keeps the depth
 * with which it was entered and sets it from there: so it is right whatever way loops are left.
 * While a class initialiser runs, the depth is negative, and nothing but writes is noted.
 *
 * <p>As in {@link SubsumeRuntime}, nothing here allocates an object or takes a monitor.
 */
public final class SubsumeLoops {
    static {
        bindNatives();
    }

    /** Address of word 0 of the profile's file. */
    static final long BASE = base();

    /**
     * In how many loops a thread is, at most, from the first one on that is judged, where what it reads is
     * not told.
     */
    static final int UNTOLD_DEPTH = untoldDepth();

    static final Unsafe U = Unsafe.getUnsafe();

    // Byte offsets in a thread's block; crates/instrument/src/dataflow/loops/threads.rs says what they hold.
    // At offset 0 is the address behind the last event.
    private static final int DEPTH = 8;
    private static final int NEXT_IDENTITY = 12;
    private static final int UNJUDGED = 16;
    private static final int LAST_ITERATION = 24;
    private static final int LEAF = 32;
    private static final int CLOCK = 40;
    private static final int STARTS = 48;
    private static final int WRITTEN = 16_384;
    private static final int UNJUDGED_LOOPS = 32_768;

    /** Loops around each other of which it is known there when their iterations began. */
    private static final int MOST_STARTS = 64;

    /** Binary logarithm of the number of places there. */
    private static final int WRITTEN_BITS = 10;

    /** Binary logarithm of the number of loops there. */
    private static final int UNJUDGED_BITS = 10;

    /** The golden ratio. */
    private static final long HASH_FACTOR = 0x9E37_79B9_7F4A_7C15L;

    /** From this offset on there may be no room for another event. */
    private static final int FULL = 15_360;

    // Events.
    private static final long WRITE = 1L << 63;
    private static final long ITERATION = 1L << 61;
    private static final long COPY = 2L << 61;
    private static final long LEAVE = 3L << 61;
    private static final long WRITES = 3L << 61 | 1L << 32;
    private static final long EFFECT = 3L << 61 | 2L << 32;
    private static final long OWN = 3L << 61 | 3L << 32;
    private static final long GIVEN = 3L << 61 | 4L << 32;
    private static final long CAPTURED = 3L << 61 | 5L << 32;

    /** In the second word of an iteration. */
    private static final long ONE_MORE = 1L << 32;

    /** The depth while a class initialiser runs. */
    private static final int SUSPENDED = -1 << 30;

    /** Elements of a copy that are looked at. */
    private static final int MOST_COPIED = 1 << 10;

    /** Elements that one event has. */
    private static final int COPIED_AT_ONCE = 1 << 6;

    private SubsumeLoops() {
    }

    // Loops.

    /** Entry of a method that has loops: in how many the thread is. */
    @ForceInline
    @Hidden
    public static int depth() {
        long block = Thread.currentThread().$subsume$loops;
        return block == 0 ? 0 : U.getInt(null, block + DEPTH);
    }

    /** An iteration begins of the loop that has so many loops of its method around it. */
    @DontInline
    @Hidden
    public static void iteration(int base, int around, int loop, long node) {
        if (base < 0) {
            return;
        }
        Thread thread = Thread.currentThread();
        long block = thread.$subsume$loops;
        if (block == 0) {
            block = attach(SubsumeRuntime.tree(thread));
            if (block == 0) {
                return;
            }
            thread.$subsume$loops = block;
        }
        int depth = base + around;
        long event = ITERATION | (long) loop << 32 | node - BASE >>> 2;
        long last = U.getLong(null, block + LAST_ITERATION);
        if (last != 0 && U.getLong(null, last) == event) {
            long following = U.getLong(null, last + 8);
            if ((int) following == depth && following >= 0) {
                U.putLong(null, last + 8, following + ONE_MORE);
                return;
            }
        }
        if (depth <= U.getInt(null, block + UNJUDGED)) {
            long slot = slotOfUnjudged(block, event);
            if (U.getLong(null, slot) == event) {
                // Nobody asks for it, but for how many there are.
                U.putLong(null, slot + 8, U.getLong(null, slot + 8) + 1);
                enterUntold(block, depth);
                U.putLong(null, block + LEAF, 0);
                return;
            }
            U.putInt(null, block + UNJUDGED, depth);
        }
        U.putInt(null, block + DEPTH, depth + 1);
        U.putLong(null, block + LEAF, 0);
        long now = U.getLong(null, block + CLOCK) + 1;
        U.putLong(null, block + CLOCK, now);
        if (depth < MOST_STARTS) {
            U.putLong(null, block + STARTS + ((long) depth << 3), now);
        }
        long at = U.getLong(null, block);
        U.putLong(null, block + LAST_ITERATION, at);
        U.putLong(null, at, event);
        U.putLong(null, at + 8, depth);
        advance(block, at + 16);
    }

    /**
     * An iteration of a loop without calls and inner loops. The first one says that the loop is entered;
     * nobody asks how many there are.
     */
    @ForceInline
    @Hidden
    public static void leafIteration(int base, int around, int loop, long node) {
        long block = Thread.currentThread().$subsume$loops;
        if (block == 0 || U.getLong(null, block + LEAF) != ((long) loop << 32 | node - BASE >>> 2)
                || U.getInt(null, block + DEPTH) != base + around + 1) {
            enterLeaf(base, around, loop, node);
        }
    }

    @DontInline
    @Hidden
    static void enterLeaf(int base, int around, int loop, long node) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && base >= 0 && base + around <= U.getInt(null, block + UNJUDGED)) {
            // It has no inner loops, and those around it are not judged.
            enterUntold(block, base + around);
        } else {
            iteration(base, around, loop, node);
            block = Thread.currentThread().$subsume$loops;
        }
        if (base >= 0 && block != 0) {
            U.putLong(null, block + LEAF, (long) loop << 32 | node - BASE >>> 2);
        }
    }

    /** A loop that is not judged goes on in so many others of this kind. */
    @ForceInline
    @Hidden
    static void enterUntold(long block, int depth) {
        if (U.getInt(null, block + DEPTH) > U.getInt(null, block + UNJUDGED)) {
            // Loops are left that are reported.
            leave(block, depth);
        }
        U.putInt(null, block + DEPTH, depth + 1);
        U.putInt(null, block + UNJUDGED, depth + 1);
    }

    /** Address of the event of a loop that is not judged, and of the number of iterations behind it. */
    @ForceInline
    @Hidden
    static long slotOfUnjudged(long block, long event) {
        return block + UNJUDGED_LOOPS + (event * HASH_FACTOR >>> 64 - UNJUDGED_BITS << 4);
    }

    /** Loops are left; so many of the method's go on. */
    @ForceInline
    @Hidden
    public static void left(int base, int around) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && U.getInt(null, block + DEPTH) > base + around) {
            leave(block, base + around);
        }
    }

    /** A method that has loops is left. */
    @ForceInline
    @Hidden
    public static void returned(int base) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && U.getInt(null, block + DEPTH) > base) {
            leave(block, base);
        }
    }

    @DontInline
    @Hidden
    static void leave(long block, int depth) {
        boolean isTold = U.getInt(null, block + DEPTH) > U.getInt(null, block + UNJUDGED);
        U.putInt(null, block + DEPTH, depth);
        U.putLong(null, block + LEAF, 0);
        if (depth < U.getInt(null, block + UNJUDGED)) {
            U.putInt(null, block + UNJUDGED, depth);
        }
        if (!isTold) {
            return;
        }
        U.putLong(null, block + LAST_ITERATION, 0);
        long at = U.getLong(null, block);
        U.putLong(null, at, LEAVE | depth & 0xFFFF_FFFFL);
        advance(block, at + 8);
    }

    /** A class initialiser begins. Returns the depth, for when it ends. */
    @DontInline
    @Hidden
    public static int suspend() {
        Thread thread = Thread.currentThread();
        long block = thread.$subsume$loops;
        if (block == 0) {
            block = attach(SubsumeRuntime.tree(thread));
            if (block == 0) {
                return 0;
            }
            thread.$subsume$loops = block;
        }
        int depth = U.getInt(null, block + DEPTH);
        U.putInt(null, block + DEPTH, SUSPENDED);
        return depth;
    }

    /** It ends. */
    @ForceInline
    @Hidden
    public static void resume(int depth) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0) {
            U.putInt(null, block + DEPTH, depth);
        }
    }

    // What loops are given.

    /**
     * The loop that is about to be entered with so many loops around it works with a value from outside; with
     * a negative number, a lambda captures the value.
     */
    @ForceInline
    @Hidden
    public static void given(int value, int depth, int part) {
        given((long) value, depth, part);
    }

    @ForceInline
    @Hidden
    public static void given(long value, int depth, int part) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && tellsGiven(block, depth)) {
            give(block, value, depth, part);
        }
    }

    @ForceInline
    @Hidden
    public static void given(float value, int depth, int part) {
        given((long) Float.floatToRawIntBits(value), depth, part);
    }

    @ForceInline
    @Hidden
    public static void given(double value, int depth, int part) {
        given(Double.doubleToRawLongBits(value), depth, part);
    }

    @ForceInline
    @Hidden
    public static void given(Object value, int depth, int part) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && tellsGiven(block, depth)) {
            giveReference(block, value, depth, part);
        }
    }

    /** Whether the loop is yet to be entered, and a loop around it may be judged. */
    @ForceInline
    @Hidden
    static boolean tellsGiven(long block, int depth) {
        int now = U.getInt(null, block + DEPTH);
        return (now == depth || depth < 0) && now > U.getInt(null, block + UNJUDGED);
    }

    @DontInline
    @Hidden
    static void giveReference(long block, Object value, int depth, int part) {
        give(block, identity(block, value), depth, part);
    }

    @DontInline
    @Hidden
    static void give(long block, long value, int depth, int part) {
        long at = U.getLong(null, block);
        U.putLong(null, at, (depth < 0 ? CAPTURED : GIVEN) | part & 0xFFFF_FFFFL);
        U.putLong(null, at + 8, value);
        advance(block, at + 16);
    }

    // Reads.

    /** Whether it is told what a thread reads. */
    @ForceInline
    @Hidden
    static boolean tellsReads(long block) {
        return U.getInt(null, block + DEPTH) > U.getInt(null, block + UNJUDGED) + UNTOLD_DEPTH;
    }

    /**
     * Whether it is told what it writes: a loop may be judged, or there is a class initialiser, which makes
     * nobody's data.
     */
    @ForceInline
    @Hidden
    static boolean tellsWrites(long block) {
        int depth = U.getInt(null, block + DEPTH);
        return depth > U.getInt(null, block + UNJUDGED) || depth < 0;
    }

    /** Of a field. */
    @Hidden
    public static void readField(Object owner, int value, int field, int read, long node) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && tellsReads(block)) {
            read(block, owner, field, value, read, node);
        }
    }

    @Hidden
    public static void readField(Object owner, long value, int field, int read, long node) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && tellsReads(block)) {
            read(block, owner, field, value, read, node);
        }
    }

    @Hidden
    public static void readField(Object owner, float value, int field, int read, long node) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && tellsReads(block)) {
            read(block, owner, field, Float.floatToRawIntBits(value), read, node);
        }
    }

    @Hidden
    public static void readField(Object owner, double value, int field, int read, long node) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && tellsReads(block)) {
            read(block, owner, field, Double.doubleToRawLongBits(value), read, node);
        }
    }

    @Hidden
    public static void readField(Object owner, Object value, int field, int read, long node) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && tellsReads(block)) {
            readReference(block, owner, field, value, read, node);
        }
    }

    /** Of an element. */
    @Hidden
    public static void readElement(Object array, int index, int value, int read, long node) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && tellsReads(block)) {
            read(block, array, index, value, read, node);
        }
    }

    @Hidden
    public static void readElement(Object array, int index, long value, int read, long node) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && tellsReads(block)) {
            read(block, array, index, value, read, node);
        }
    }

    @Hidden
    public static void readElement(Object array, int index, float value, int read, long node) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && tellsReads(block)) {
            read(block, array, index, Float.floatToRawIntBits(value), read, node);
        }
    }

    @Hidden
    public static void readElement(Object array, int index, double value, int read, long node) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && tellsReads(block)) {
            read(block, array, index, Double.doubleToRawLongBits(value), read, node);
        }
    }

    @Hidden
    public static void readElement(Object array, int index, Object value, int read, long node) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && tellsReads(block)) {
            readReference(block, array, index, value, read, node);
        }
    }

    @DontInline
    @Hidden
    static void read(long block, Object owner, int part, long value, int read, long node) {
        long place = (long) identity(block, owner) << 32 | part & 0xFFFF_FFFFL;
        if (isOwn(block, place)) {
            return;
        }
        long at = U.getLong(null, block);
        U.putLong(null, at, (long) read << 32 | node - BASE >>> 2);
        U.putLong(null, at + 8, value);
        U.putLong(null, at + 16, place);
        advance(block, at + 24);
    }

    @DontInline
    @Hidden
    static void readReference(
            long block, Object owner, int part, Object value, int read, long node) {
        long place = (long) identity(block, owner) << 32 | part & 0xFFFF_FFFFL;
        if (isOwn(block, place)) {
            return;
        }
        long bits = identity(block, value);
        long at = U.getLong(null, block);
        U.putLong(null, at, (long) read << 32 | node - BASE >>> 2);
        U.putLong(null, at + 8, bits);
        U.putLong(null, at + 16, place);
        advance(block, at + 24);
    }

    /**
     * Whether a place is known to be written in the current iteration of the innermost loop to which the
     * read belongs, that around the innermost one: the read is of the loops' own data, and counts for none
     * of them. What is not known here the agent knows.
     */
    @ForceInline
    @Hidden
    private static boolean isOwn(long block, long place) {
        if (UNTOLD_DEPTH == 0) {
            return false;
        }
        long slot = slotOfWritten(block, place);
        if (U.getLong(null, slot) != place) {
            return false;
        }
        int innermost = U.getInt(null, block + DEPTH) - 2;
        return innermost >= 0 && innermost < MOST_STARTS
                && U.getLong(null, slot + 8) >= U.getLong(null, block + STARTS + ((long) innermost << 3));
    }

    /** Address of a place that was written, and of the time behind it. */
    @ForceInline
    @Hidden
    private static long slotOfWritten(long block, long place) {
        return block + WRITTEN + (place * HASH_FACTOR >>> 64 - WRITTEN_BITS << 4);
    }

    // Writes.

    /** A field, or an element, of an object is about to be written. */
    @Hidden
    public static void written(Object owner, int part) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && tellsWrites(block)) {
            write(block, owner, part);
        }
    }

    /**
     * A field of an object is about to be written: of {@code self}, by its constructor or as an iterator, or
     * of another object. The former has no effect for the loops around.
     */
    @Hidden
    public static void written(Object owner, int part, Object self) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && tellsWrites(block)) {
            if (owner == self) {
                tell(block, OWN);
            }
            write(block, owner, part);
        }
    }

    /** Something other than a write that is told has an effect for all loops around. */
    @Hidden
    public static void effect() {
        effect(0, 0);
    }

    /** Something has an effect for the loops of a method around which it has at least so many. */
    @Hidden
    public static void effect(int base, int around) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && U.getInt(null, block + DEPTH) > U.getInt(null, block + UNJUDGED)) {
            tell(block, EFFECT | base + around & 0xFFFF_FFFFL);
        }
    }

    /** Code that runs once, such as a class initialiser, has no effect for the loops that run it. */
    @ForceInline
    @Hidden
    private static void tellSuspended(long block) {
        if (UNTOLD_DEPTH == 0 && U.getInt(null, block + DEPTH) < 0) {
            tell(block, OWN);
        }
    }

    @DontInline
    @Hidden
    static void tell(long block, long event) {
        long at = U.getLong(null, block);
        U.putLong(null, block + LAST_ITERATION, 0);
        U.putLong(null, at, event);
        advance(block, at + 8);
    }

    @DontInline
    @Hidden
    static void write(long block, Object owner, int part) {
        if (owner == null) {
            return;
        }
        long place = (long) identity(block, owner) << 32 | part & 0xFFFF_FFFFL;
        if (UNTOLD_DEPTH != 0) {
            long slot = slotOfWritten(block, place);
            long now = U.getLong(null, block + CLOCK);
            if (U.getLong(null, slot) == place && U.getLong(null, slot + 8) == now) {
                // It has been told, and no iteration has begun since.
                return;
            }
            U.putLong(null, slot, place);
            U.putLong(null, slot + 8, now);
        }
        tellSuspended(block);
        long at = U.getLong(null, block);
        U.putLong(null, block + LAST_ITERATION, 0);
        U.putLong(null, at, WRITE | place);
        advance(block, at + 8);
    }

    @Hidden
    static void write(long block, Object array, int from, int length) {
        long place = (long) identity(block, array) << 32 | from;
        tellSuspended(block);
        long at = U.getLong(null, block);
        U.putLong(null, block + LAST_ITERATION, 0);
        U.putLong(null, at, WRITES | length);
        U.putLong(null, at + 8, place);
        advance(block, at + 16);
    }

    // Copies. One loop is enough: they read many values in each iteration.

    /** Before {@code System.arraycopy}. Without a node, what it reads is not told. */
    @DontInline
    @Hidden
    public static void copied(
            Object from, int start, Object to, int place, int length, int read, long node) {
        long block = Thread.currentThread().$subsume$loops;
        if (block == 0 || !tellsWrites(block) || length <= 0) {
            return;
        }
        int kind = kind(from);
        // Otherwise it throws.
        if (kind >= 0 && kind == kind(to) && start >= 0 && place >= 0
                && length <= length(from, kind) - start && length <= length(to, kind) - place) {
            if (node != 0 && U.getInt(null, block + DEPTH) > 0) {
                readElements(block, from, kind, start, length, read, node);
            }
            write(block, to, place, length);
        }
    }

    /** Before {@code clone} of an array. */
    @DontInline
    @Hidden
    public static void clones(Object array, int read, long node) {
        long block = Thread.currentThread().$subsume$loops;
        if (block == 0 || !tellsWrites(block) || U.getInt(null, block + DEPTH) < 0 || array == null) {
            return;
        }
        int kind = kind(array);
        readElements(block, array, kind, 0, length(array, kind), read, node);
    }

    /** Behind it. */
    @DontInline
    @Hidden
    public static void cloned(Object array) {
        long block = Thread.currentThread().$subsume$loops;
        if (block != 0 && tellsWrites(block)) {
            if (UNTOLD_DEPTH == 0) {
                tell(block, OWN);
            }
            write(block, array, 0, length(array, kind(array)));
        }
    }

    @Hidden
    static void readElements(
            long block, Object array, int kind, int start, int length, int read, long node) {
        int looked = length < MOST_COPIED ? length : MOST_COPIED;
        int end = start + looked;
        int identity = identity(block, array);
        U.putLong(null, block + LAST_ITERATION, 0);
        long left = length - looked;
        for (int from = start; from < end; from += COPIED_AT_ONCE) {
            int count = end - from < COPIED_AT_ONCE ? end - from : COPIED_AT_ONCE;
            long at = U.getLong(null, block);
            U.putLong(null, at, COPY | (long) read << 32 | node - BASE >>> 2);
            U.putLong(null, at + 8, (long) identity << 32 | from);
            U.putLong(null, at + 16, left << 32 | count);
            at += 24;
            for (int index = from; index < from + count; index++) {
                U.putLong(null, at, element(block, array, kind, index));
                at += 8;
            }
            left = 0;
            advance(block, at);
        }
    }

    // Kinds of arrays, beside references.
    private static final int BYTES = 0;
    private static final int BOOLEANS = 1;
    private static final int CHARS = 2;
    private static final int SHORTS = 3;
    private static final int INTS = 4;
    private static final int FLOATS = 5;
    private static final int LONGS = 6;
    private static final int DOUBLES = 7;
    private static final int REFERENCES = 8;

    /** The kind of an array; negative for what is none. */
    @Hidden
    static int kind(Object array) {
        return array instanceof Object[] ? REFERENCES
                : array instanceof byte[] ? BYTES
                : array instanceof char[] ? CHARS
                : array instanceof int[] ? INTS
                : array instanceof long[] ? LONGS
                : array instanceof boolean[] ? BOOLEANS
                : array instanceof short[] ? SHORTS
                : array instanceof float[] ? FLOATS
                : array instanceof double[] ? DOUBLES : -1;
    }

    @Hidden
    static int length(Object array, int kind) {
        return switch (kind) {
            case BYTES -> ((byte[]) array).length;
            case BOOLEANS -> ((boolean[]) array).length;
            case CHARS -> ((char[]) array).length;
            case SHORTS -> ((short[]) array).length;
            case INTS -> ((int[]) array).length;
            case FLOATS -> ((float[]) array).length;
            case LONGS -> ((long[]) array).length;
            case DOUBLES -> ((double[]) array).length;
            default -> ((Object[]) array).length;
        };
    }

    /** The bits of an element, or the identity of the object. */
    @Hidden
    private static long element(long block, Object array, int kind, int index) {
        return switch (kind) {
            case BYTES -> ((byte[]) array)[index];
            case BOOLEANS -> ((boolean[]) array)[index] ? 1 : 0;
            case CHARS -> ((char[]) array)[index];
            case SHORTS -> ((short[]) array)[index];
            case INTS -> ((int[]) array)[index];
            case FLOATS -> Float.floatToRawIntBits(((float[]) array)[index]);
            case LONGS -> ((long[]) array)[index];
            case DOUBLES -> Double.doubleToRawLongBits(((double[]) array)[index]);
            default -> identity(block, ((Object[]) array)[index]);
        };
    }

    // Identities.

    /** The number of an object. */
    @ForceInline
    @Hidden
    private static int identity(long block, Object object) {
        return SubsumeIdentities.of(block + NEXT_IDENTITY, object);
    }

    /** An event has been written; when there may be no room for another, all are judged. */
    @ForceInline
    @Hidden
    static void advance(long block, long at) {
        U.putLong(null, block, at);
        if (at - block >= FULL) {
            judge(SubsumeRuntime.tree(Thread.currentThread()));
        }
    }

    /** Initialises the class; true if objects have room for identities. */
    static boolean canFollow() {
        return BASE != 0 && SubsumeIdentities.isReady();
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    private static native long base();

    private static native int untoldDepth();

    /** The block of the thread of this tree; 0 while recording is off. */
    static native long attach(int tree);

    /** Judges the events of the thread of this tree. */
    private static native void judge(int tree);
}
