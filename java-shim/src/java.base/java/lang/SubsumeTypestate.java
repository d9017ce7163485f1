package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What code calls that is instrumented for typestate histories: calls of methods that a protocol
 * names, what they return, and objects that are made or obtained. These are events.
 *
 * <p>An object carries the number of the node of its last event in a field that the agent adds to
 * classes, and which says both its state and where it was made. The thread's block has entries for
 * events after nodes: where each leads, and how often that was. The agent fills an entry when an event
 * follows a node for the first time; crates/instrument/src/dataflow/typestate/tables.rs says what is in it.
 *
 * <p>As in {@link SubsumeRuntime}, nothing here allocates an object or takes a monitor.
 */
public final class SubsumeTypestate {
    static {
        bindNatives();
    }

    static final Unsafe U = Unsafe.getUnsafe();

    /** Offset of the field of a class that says whether its objects follow a protocol; 0 without it. */
    static final long OF_CLASS = ofClass();

    /** What that field says of classes that follow none; 0 says that nobody has asked yet. */
    private static final long FOLLOWS_NONE = -1;

    // Byte offsets in an entry.
    private static final int COUNT = 8;
    private static final int TO = 16;
    private static final int BYTES = 24;

    /** Binary logarithm of the number of entries of a block. */
    private static final int BITS = 10;

    /** The golden ratio. */
    private static final long HASH_FACTOR = 0x9E37_79B9_7F4A_7C15L;

    private SubsumeTypestate() {
    }

    /** A method of an object is about to be called, by one of the other object if there is one. */
    @ForceInline
    @Hidden
    public static void called(Object receiver, Object self, int event) {
        if (receiver != null && receiver != self) {
            long known = U.getLong(receiver.getClass(), OF_CLASS);
            if (known != FOLLOWS_NONE) {
                follow(receiver, known, event);
            }
        }
    }

    /** It has returned a number, or whether something holds. */
    @ForceInline
    @Hidden
    public static void returned(int result, Object receiver, Object self, int event) {
        called(receiver, self, result != 0 ? event + 2 : event + 1);
    }

    /** It has returned an object. */
    @ForceInline
    @Hidden
    public static void returned(Object result, Object receiver, Object self, int event) {
        called(receiver, self, result != null ? event + 2 : event + 1);
    }

    /** An object has been made, or was obtained from somebody. */
    @ForceInline
    @Hidden
    public static void made(Object object, int event) {
        called(object, null, event);
    }

    @DontInline
    @Hidden
    static void follow(Object object, long known, int event) {
        if (known == 0) {
            known = classify(object);
            U.putLong(object.getClass(), OF_CLASS, known);
            if (known == FOLLOWS_NONE) {
                return;
            }
        }
        Thread thread = Thread.currentThread();
        long block = thread.$subsume$typestates;
        if (block == 0) {
            block = attach(SubsumeRuntime.tree(thread));
            if (block == 0) {
                return;
            }
            thread.$subsume$typestates = block;
        }
        // The number of the protocol, above the offset of the field with the last node.
        long offset = known & 0xFFFF_FFFFL;
        int protocol = (int) (known >>> 32);
        while (true) {
            int last = U.getInt(object, offset);
            int from = last == 0 ? protocol : last;
            long key = (long) from << 32 | event;
            long entry = block + (key * HASH_FACTOR >>> 64 - BITS) * BYTES;
            if (U.getLong(null, entry) != key && !fill(SubsumeRuntime.tree(thread), key)) {
                return;
            }
            int to = U.getInt(null, entry + TO);
            if (to == from || U.compareAndSetInt(object, offset, last, to)) {
                U.putLong(null, entry + COUNT, U.getLong(null, entry + COUNT) + 1);
                return;
            }
        }
    }

    /** Initialises the class; true if classes have room for what is known of them. */
    static boolean canFollow() {
        return OF_CLASS != 0;
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    private static native long ofClass();

    /**
     * The number of the protocol that the object follows, above the offset of its field for the last node;
     * {@link #FOLLOWS_NONE} if it follows none.
     */
    private static native long classify(Object object);

    /** The block of the thread of this tree; 0 while recording is off. */
    private static native long attach(int tree);

    /** Fills the entry of a key in the block of the thread of this tree; false while recording is off. */
    private static native boolean fill(int tree, long key);
}
