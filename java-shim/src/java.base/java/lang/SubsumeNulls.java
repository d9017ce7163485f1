package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What code calls in which nulls are followed.
 *
 * <p>A node is the number of an instruction. The shadow of a value is the node that handled it last;
 * it means something if the value is null, and so all probes begin with that question. The shadow of
 * a heap location is the node that stored null in it last, 0 if none has. Fields have their shadows
 * in fields that the agent adds to their classes, static fields in a table by number, elements of
 * arrays in {@link SubsumeNullElements}, and of static fields in {@link SubsumeStatics}.
 *
 * <p>That a null went from one node to another is noted in the table of edges of {@link SubsumeDataflow}.
 */
public final class SubsumeNulls {
    static {
        bindNatives();
    }

    static final Unsafe U = Unsafe.getUnsafe();

    /** Where an exception keeps the null that it was raised for. */
    static final long RAISED_FOR =
            U.objectFieldOffset(NullPointerException.class, "$subsume$raised");

    // In place of nodes; crates/profile/src/layout.rs says what they mean.
    static final int UNKNOWN = 1;
    private static final int INITIAL = 2;

    // Relations.
    private static final int FLOWED = 1;
    private static final int RAISED = 2;
    private static final int UNCAUGHT = 3;

    /** Byte offset in an entry of the table of edges. */
    private static final int COUNT = 16;

    /** What a thread's next exception was raised for: nothing, code makes it itself. */
    private static final long EXPLICIT = 1;

    private SubsumeNulls() {
    }

    @Hidden
    static void note(int from, int to, int relation) {
        long entry = SubsumeDataflow.entry(from == 0 ? UNKNOWN : from, (long) to << 32 | relation);
        U.putLong(null, entry + COUNT, U.getLong(null, entry + COUNT) + 1);
    }

    // Exceptions.

    /** An instruction needs this object, and the JVM will raise an exception if it is null. */
    @ForceInline
    @Hidden
    public static void met(Object base, long shadow, int node) {
        if (base == null) {
            meet(shadow, node);
        }
    }

    @DontInline
    @Hidden
    static void meet(long shadow, int node) {
        Thread.currentThread().$subsume$raised = (long) node << 32 | (int) shadow;
    }

    /** Code is about to make such an exception itself. */
    @Hidden
    public static void explicit() {
        Thread.currentThread().$subsume$raised = EXPLICIT;
    }

    /** Such an exception was made. */
    @DontInline
    @Hidden
    public static void made(Object exception) {
        Thread thread = Thread.currentThread();
        long raised = thread.$subsume$raised;
        thread.$subsume$raised = 0;
        if (raised == EXPLICIT || exception.getClass() != NullPointerException.class) {
            return;
        }
        if (raised == 0) {
            loseException();
            return;
        }
        U.putLong(exception, RAISED_FOR, raised);
        note((int) raised, (int) (raised >>> 32), RAISED);
    }

    /** Nobody has caught this in its thread. */
    @DontInline
    @Hidden
    public static void uncaught(Object thrown) {
        if (thrown instanceof NullPointerException) {
            long raised = U.getLong(thrown, RAISED_FOR);
            if (raised != 0) {
                U.putLong(thrown, RAISED_FOR, 0);
                note((int) raised, (int) (raised >>> 32), UNCAUGHT);
            }
        }
    }

    // The tracking stack. In the lower half of what is on it is the shadow of a value, in the upper
    // one the node that passes the value on.

    /** Shadow of a parameter; passed is what lies on the tracking stack. */
    @ForceInline
    @Hidden
    public static long parameter(Object value, long passed) {
        return value == null ? take(passed) : 0;
    }

    @DontInline
    @Hidden
    static int take(long passed) {
        int node = (int) (passed >>> 32);
        if (node != 0) {
            note((int) passed, node, FLOWED);
        }
        return node;
    }

    /** A method returns a value. */
    @ForceInline
    @Hidden
    public static void returns(Object value, long passed, int callee) {
        if (value == null) {
            Thread thread = Thread.currentThread();
            thread.$subsume$result = passed;
            thread.$subsume$callee = ~callee;
        }
    }

    /** Shadow of what was returned. If the callee is not followed, the null begins at the call. */
    @ForceInline
    @Hidden
    public static long result(Object value, int callee, int node) {
        return value == null ? takeResult(callee, node) : 0;
    }

    @DontInline
    @Hidden
    static int takeResult(int callee, int node) {
        Thread thread = Thread.currentThread();
        return thread.$subsume$callee == ~callee ? take(thread.$subsume$result) : node;
    }

    // Heap locations.

    @DontInline
    @Hidden
    static void load(int writer, int node) {
        note(writer == 0 ? INITIAL : writer, node, FLOWED);
    }

    /** A value was loaded from a field. */
    @ForceInline
    @Hidden
    public static void loaded(Object value, int writer, int node) {
        if (value == null) {
            load(writer, node);
        }
    }

    /** A value was stored in a field. Returns the field's shadow. */
    @ForceInline
    @Hidden
    public static int stored(Object value, long shadow, int node) {
        return value == null ? store(shadow, node) : 0;
    }

    @DontInline
    @Hidden
    static int store(long shadow, int node) {
        note((int) shadow, node, FLOWED);
        return node;
    }

    /** A value was loaded from a static field. */
    @ForceInline
    @Hidden
    public static void loadedStatic(Object value, int field, int node) {
        if (value == null) {
            load(SubsumeStatics.writer(SubsumeStatics.number(field)), node);
        }
    }

    /** A value was stored in a static field. */
    @ForceInline
    @Hidden
    public static void storedStatic(Object value, long shadow, int field, int node) {
        int writer = value == null ? store(shadow, node) : 0;
        SubsumeStatics.write(SubsumeStatics.number(field), writer);
    }

    /** An element is about to be loaded. */
    @ForceInline
    @Hidden
    public static void loadedElement(Object array, int index, int node) {
        Object[] elements = (Object[]) array;
        if (elements != null
                && index >= 0
                && index < elements.length
                && elements[index] == null) {
            loadElement(elements, index, node);
        }
    }

    @DontInline
    @Hidden
    static void loadElement(Object[] array, int index, int node) {
        load(SubsumeNullElements.writer(array, index), node);
    }

    /** An element is about to be stored. */
    @ForceInline
    @Hidden
    public static void storedElement(Object array, int index, Object value, long shadow, int node) {
        if (value == null) {
            storeElement((Object[]) array, index, shadow, node);
        }
    }

    @DontInline
    @Hidden
    static void storeElement(Object[] array, int index, long shadow, int node) {
        if (array == null || index < 0 || index >= array.length) {
            return;
        }
        note((int) shadow, node, FLOWED);
        SubsumeNullElements.write(array, index, node);
    }

    /** Notes that elements were copied from one array to another. */
    @ForceInline
    @Hidden
    public static void copied(Object from, int start, Object to, int end, int length, int node) {
        if (length > 0 && from instanceof Object[]) {
            SubsumeNullElements.copy((Object[]) from, start, (Object[]) to, end, length, node);
        }
    }

    /** A null went from one node to another. */
    @Hidden
    static void flow(int from, int to) {
        note(from, to, FLOWED);
    }

    /** An object was cloned; its fields had their shadows with them. */
    @ForceInline
    @Hidden
    public static void cloned(Object from, Object to, int node) {
        if (from instanceof Object[] && to instanceof Object[]) {
            Object[] array = (Object[]) to;
            copied(from, 0, array, 0, array.length, node);
        }
    }

    @DontInline
    @Hidden
    static void loseException() {
        U.getAndAddLong(null, lost(), 1);
    }

    /**
     * Initialises the class, and those that it needs, before there are probes that would run
     * meanwhile; true if there is memory for what it notes.
     */
    static boolean canFollow() {
        return SubsumeStatics.isReady()
                && SubsumeDataflow.canFollow()
                && SubsumeTags.isReady()
                && SubsumeNullElements.isReady();
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    /** Address of the counter of exceptions that came from elsewhere. */
    private static native long lost();
}
