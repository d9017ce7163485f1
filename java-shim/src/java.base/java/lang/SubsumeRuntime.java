package java.lang;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Set;
import jdk.internal.misc.Unsafe;
import jdk.internal.reflect.Reflection;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What instrumented code calls. The classes of programs call copies that the agent adds to {@link
 * Object}, because naming this class would ask their own loader for it. So what a probe names is not
 * private.
 *
 * <p>Nodes of the calling context tree lie outside the Java heap, in the profile's file. Probes pass
 * addresses of nodes and slots; in the tree itself a position is the index of a 4-byte word from
 * {@link #BASE}. Word 0 is the slot of threads that have no tree yet. It stays zero, and following it
 * reads zeros, so that such a thread fails the comparison of method ids like any new context.
 *
 * <p>Nothing here allocates an object or takes a monitor: a probe may run anywhere, also where the
 * program is out of memory or stack.
 */
public final class SubsumeRuntime {
    static {
        bindNatives();
    }

    /** Address of word 0. */
    static final long BASE = base();

    /**
     * Address of a table with the node of each method for calls while recording is off, as far as it
     * was asked for; 0 if there is none.
     */
    private static final long SCRATCH_TABLE = scratchTable();
    /** How many methods it has. */
    private static final int SCRATCH_METHODS = 1 << 20;

    /** What names of members begin with that the agent adds. */
    private static final String PREFIX = "$subsume$";

    static final Unsafe U = Unsafe.getUnsafe();

    /** The table of {@link #FOUND} has two to the power of this entries: 64 kB. */
    private static final int FOUND_BITS = 13;

    /**
     * Address of a hash table of nodes that {@link #find} has found: the slot in the upper half of an
     * entry, the node below it in the lower one. Both stay what they are, and an entry is one word, so
     * threads may share the table and write over each other's.
     */
    private static final long FOUND = U.allocateMemory(8 << FOUND_BITS);

    static {
        U.setMemory(FOUND, 8 << FOUND_BITS, (byte) 0);
    }

    // Byte offsets in a node; crates/profile/src/layout.rs says what each field holds.
    // The method id is at offset 0.
    private static final int NEXT = 4;
    private static final int CALLS = 8;
    private static final int IMPLICIT_SLOT = 16;
    private static final int BYTECODES = 24;
    private static final int ALLOCATIONS = 32;
    /** Of methods that call nothing: there are no slots in front of it. */
    private static final int LEAF_BYTECODES = 16;

    /** Word offset in a tree record. */
    private static final int ROOT_SLOT = 1;

    /** A loop flushes its count when it reaches this number of bytecodes. */
    private static final int FLUSH = 1 << 16;
    // How the JVM lays objects out, as far as bytes are counted; 0 if they are not.

    /** Address of the cells with sizes of instances. */
    static final long SIZES = sizes();
    /** Sizes of objects are multiples of it. */
    static final long ALIGNMENT = layout(0);
    /** Where elements of up to four bytes begin in arrays. */
    static final long FIRST_BYTE = layout(1);
    /** Where elements of eight bytes begin. */
    static final long FIRST_LONG = layout(2);
    /** Where references begin. */
    static final long FIRST_REFERENCE = layout(3);
    /** Binary logarithm of the bytes of a reference. */
    static final int REFERENCE_SHIFT = layout(4);
    /** Where an object of class {@link Class} has the address of HotSpot's class. */
    static final long KLASS = layout(5);
    /** Where that has the size of instances. */
    static final long LAYOUT_HELPER = layout(6);

    /** Tells the id of a cut from that of a method. */
    private static final int CUT = 1 << 31;

    /** Whether recording is on, for classes that cannot be rewritten when it changes. */
    static boolean recording;

    private SubsumeRuntime() {
    }

    // Probes. Each has a copy in Object.
    //
    // They repeat code instead of calling each other: C2 stops inlining in a method when
    // it has made so many nodes, and every level of inlining makes some.

    /** Entry of a method: finds its node below the caller's slot and counts the call. */
    @ForceInline
    @Hidden
    public static long enter(int method) {
        Thread thread = Thread.currentThread();
        long slot = thread.$subsume$slot;
        long node = BASE + ((U.getInt(null, slot) & 0xFFFFFFFFL) << 2);
        if (U.getInt(null, node) != method) {
            node = find(slot, method);
        }
        U.putLong(null, node + CALLS, U.getLong(null, node + CALLS) + 1);
        thread.$subsume$slot = node + IMPLICIT_SLOT;
        return node;
    }

    /** Entry of a method that calls nothing, not even by way of the VM, or nothing for now. */
    @ForceInline
    @Hidden
    public static long leaf(int method) {
        long slot = Thread.currentThread().$subsume$slot;
        long node = BASE + ((U.getInt(null, slot) & 0xFFFFFFFFL) << 2);
        if (U.getInt(null, node) != method) {
            node = find(slot, method);
        }
        U.putLong(null, node + CALLS, U.getLong(null, node + CALLS) + 1);
        return node;
    }

    /**
     * Entry of a method of a hidden class. Such a class cannot be rewritten again when recording
     * stops, so its probes look whether there is anything to do; if not, they count in a node that
     * nobody reads.
     */
    @ForceInline
    @Hidden
    public static long hiddenEnter(int method, int unread) {
        return recording ? enter(method) : address(unread);
    }

    /** Entry of a method of a hidden class that calls nothing. */
    @ForceInline
    @Hidden
    public static long hiddenLeaf(int method, int unread) {
        return recording ? leaf(method) : address(unread);
    }

    /**
     * Before a method is entered whose contexts differ by the text of this argument: the number under
     * which it is entered.
     */
    @DontInline
    @Hidden
    public static int text(int method, Object argument) {
        return recording ? SubsumeTexts.number(method, argument) : method;
    }

    /** What a call returns keeps the text of the number under which the call was entered. */
    @DontInline
    @Hidden
    public static void keepText(Object returned, int number) {
        if (recording) {
            SubsumeTexts.keep(returned, number);
        }
    }

    /** Before a call: what is entered next hangs below the slot at this byte offset of the node. */
    @ForceInline
    @Hidden
    public static void call(long node, int offset) {
        Thread.currentThread().$subsume$slot = node + offset;
    }

    /** Before the call of a method that has no probes of its own: counts it and enters its node. */
    @ForceInline
    @Hidden
    public static void plain(long node, int offset, int method) {
        long slot = node + offset;
        long callee = BASE + ((U.getInt(null, slot) & 0xFFFFFFFFL) << 2);
        if (U.getInt(null, callee) != method) {
            callee = find(slot, method);
        }
        U.putLong(null, callee + CALLS, U.getLong(null, callee + CALLS) + 1);
        Thread.currentThread().$subsume$slot = callee + IMPLICIT_SLOT;
    }

    /** Adds one to the counter at this byte offset of the node. */
    @ForceInline
    @Hidden
    public static void count(long node, int offset) {
        U.putLong(null, node + offset, U.getLong(null, node + offset) + 1);
    }

    /** Behind a call that moved so many elements: adds them to the counter at this byte offset. */
    @ForceInline
    @Hidden
    public static void moved(long node, int offset, long elements) {
        U.putLong(null, node + offset, U.getLong(null, node + offset) + elements);
    }

    /**
     * Behind {@code new}: adds the size of the instance, which is in a cell, to the counter at this
     * byte offset.
     */
    @ForceInline
    @Hidden
    public static void instance(long node, int offset, int cell) {
        int size = U.getInt(null, SIZES + ((long) cell << 2));
        if (size == 0) {
            size = sizeOf(cell);
        }
        U.putLong(null, node + offset, U.getLong(null, node + offset) + size);
    }

    /**
     * Behind {@code newarray}: adds the size of the array, whose elements have two to the power of
     * {@code shift} bytes, to the counter at this byte offset.
     */
    @ForceInline
    @Hidden
    public static void array(int length, long node, int offset, int shift) {
        long first = shift == 3 ? FIRST_LONG : FIRST_BYTE;
        long size = first + ((long) length << shift) + ALIGNMENT - 1 & -ALIGNMENT;
        U.putLong(null, node + offset, U.getLong(null, node + offset) + size);
    }

    /** Behind {@code anewarray}: adds the size of the array to the counter at this byte offset. */
    @ForceInline
    @Hidden
    public static void references(int length, long node, int offset) {
        long end = FIRST_REFERENCE + ((long) length << REFERENCE_SHIFT);
        long size = end + ALIGNMENT - 1 & -ALIGNMENT;
        U.putLong(null, node + offset, U.getLong(null, node + offset) + size);
    }

    /**
     * Behind {@code multianewarray}, which has made so many dimensions: adds the sizes of all arrays
     * to the counter at this byte offset.
     */
    @DontInline
    @Hidden
    public static void nested(Object array, long node, int offset, int dimensions) {
        long arrays = 1;
        long bytes = 0;
        Object each = array;
        for (int dimension = 1; ; dimension++) {
            boolean holdsReferences = each instanceof Object[];
            int shift = holdsReferences ? REFERENCE_SHIFT
                    : each instanceof byte[] || each instanceof boolean[] ? 0
                    : each instanceof char[] || each instanceof short[] ? 1
                    : each instanceof int[] || each instanceof float[] ? 2 : 3;
            long first = holdsReferences ? FIRST_REFERENCE : shift == 3 ? FIRST_LONG : FIRST_BYTE;
            int length = Array.getLength(each);
            bytes += arrays * (first + ((long) length << shift) + ALIGNMENT - 1 & -ALIGNMENT);
            if (dimension == dimensions || length == 0) {
                break;
            }
            arrays *= length;
            // All arrays of a dimension have the same length.
            each = ((Object[]) each)[0];
        }
        U.putLong(null, node + offset, U.getLong(null, node + offset) + bytes);
    }

    /**
     * Exit of a method whose counts follow from its calls. What code without probes calls next is a
     * sibling of this node, so the link to the siblings does for the slot that they hang below, and
     * need not be loaded.
     */
    @ForceInline
    @Hidden
    public static void exit(long node) {
        Thread.currentThread().$subsume$slot = node + NEXT;
    }

    /** Exit of a method that counted bytecodes. */
    @ForceInline
    @Hidden
    public static void exit(long node, int bytecodes) {
        U.putLong(null, node + BYTECODES, U.getLong(null, node + BYTECODES) + bytecodes);
        Thread.currentThread().$subsume$slot = node + NEXT;
    }

    /** Exit of a method that counted bytecodes and allocations. */
    @ForceInline
    @Hidden
    public static void exit(long node, int bytecodes, int allocations) {
        U.putLong(null, node + BYTECODES, U.getLong(null, node + BYTECODES) + bytecodes);
        U.putLong(null, node + ALLOCATIONS, U.getLong(null, node + ALLOCATIONS) + allocations);
        Thread.currentThread().$subsume$slot = node + NEXT;
    }

    /**
     * An exception leaves the first block of a method: what is not executed of it was counted with
     * the call. The id, which belongs to no method, says how much that is; it comes with its
     * halves swapped and without its mark.
     */
    @DontInline
    @Hidden
    public static void cut(long node, int swapped) {
        int id = CUT | swapped << 16 | swapped >>> 16;
        long slot = node + IMPLICIT_SLOT;
        long rest = address(U.getInt(null, slot));
        if (U.getInt(null, rest) != id) {
            rest = find(slot, id);
        }
        U.putLong(null, rest + CALLS, U.getLong(null, rest + CALLS) + 1);
    }

    /** Adds to a node's bytecodes while its method goes on. */
    @ForceInline
    @Hidden
    public static void flush(long node, int bytecodes) {
        U.putLong(null, node + BYTECODES, U.getLong(null, node + BYTECODES) + bytecodes);
    }

    /** Adds to a node's bytecodes while its method goes on, which calls nothing. */
    @ForceInline
    @Hidden
    public static void flushLeaf(long node, int bytecodes) {
        long counted = U.getLong(null, node + LEAF_BYTECODES);
        U.putLong(null, node + LEAF_BYTECODES, counted + bytecodes);
    }

    /** Start of a loop's body: the count, flushed when it has become large. */
    @ForceInline
    @Hidden
    public static int poll(long node, int bytecodes) {
        if (bytecodes < FLUSH) {
            return bytecodes;
        }
        U.putLong(null, node + BYTECODES, U.getLong(null, node + BYTECODES) + bytecodes);
        return 0;
    }

    /** Start of a loop's body in a method that calls nothing. */
    @ForceInline
    @Hidden
    public static int pollLeaf(long node, int bytecodes) {
        if (bytecodes < FLUSH) {
            return bytecodes;
        }
        long counted = U.getLong(null, node + LEAF_BYTECODES);
        U.putLong(null, node + LEAF_BYTECODES, counted + bytecodes);
        return 0;
    }

    /** Start of a loop's body: the count of allocations, flushed when it has become large. */
    @ForceInline
    @Hidden
    public static int pollAllocations(long node, int allocations) {
        if (allocations < FLUSH) {
            return allocations;
        }
        U.putLong(null, node + ALLOCATIONS, U.getLong(null, node + ALLOCATIONS) + allocations);
        return 0;
    }

    /** Address of a word. */
    static long address(int word) {
        return BASE + ((word & 0xFFFFFFFFL) << 2);
    }

    /** The thread's tree; it gets one if it has none. */
    static int tree(Thread thread) {
        if (thread.$subsume$tree == 0) {
            thread.$subsume$tree = attach(thread);
        }
        return thread.$subsume$tree;
    }

    /** The node of a method below a slot where it is not the first one. */
    @DontInline
    @Hidden
    static long find(long slot, int method) {
        if (!recording && method >= 0 && method < SCRATCH_METHODS && SCRATCH_TABLE != 0) {
            // Many classes may have probes before recording begins.
            int scratch = U.getInt(SCRATCH_TABLE + ((long) method << 2));
            if (scratch != 0) {
                return address(scratch);
            }
        }
        if (slot == BASE) {
            // The thread's first frame, or one after a frame that has no place in the tree.
            slot = address(tree(Thread.currentThread()) + ROOT_SLOT);
        }
        int place = (int) (slot - BASE >>> 2);
        int hash = (place ^ method * 0x9E37_79B9) * 0x85EB_CA6B;
        long known = FOUND + ((hash >>> 32 - FOUND_BITS) << 3);
        long found = U.getLong(known);
        if ((int) (found >>> 32) == place && U.getInt(address((int) found)) == method) {
            return address((int) found);
        }
        int first = U.getInt(slot);
        int index = first;
        while (index != 0) {
            long node = address(index);
            if (U.getInt(node) == method) {
                U.putLong(known, (long) place << 32 | index & 0xFFFFFFFFL);
                return node;
            }
            index = U.getInt(node + NEXT);
            if (index == first) {
                break;
            }
        }
        return address(create(tree(Thread.currentThread()), place, method));
    }

    /**
     * The size of the instances of the class of a cell, as HotSpot's class has it; the cell has it
     * from then on.
     */
    @DontInline
    @Hidden
    static int sizeOf(int cell) {
        Class<?> allocated = allocated(cell);
        if (allocated == null || KLASS == 0) {
            return 0;
        }
        // Its lowest bit says that allocating one takes more than room.
        int size = U.getInt(U.getLong(allocated, KLASS) + LAYOUT_HELPER) & ~7;
        U.putInt(SIZES + ((long) cell << 2), size);
        return size;
    }

    /** Fields without those that the agent added. */
    public static Field[] withoutOurs(Field[] fields) {
        int own = 0;
        for (Field field : fields) {
            own += field.getName().startsWith(PREFIX) ? 0 : 1;
        }
        if (own == fields.length) {
            return fields;
        }
        Field[] others = new Field[own];
        int next = 0;
        for (Field field : fields) {
            if (!field.getName().startsWith(PREFIX)) {
                others[next++] = field;
            }
        }
        return others;
    }

    /**
     * The index of an instruction in the code as it was, of one in the code that the frame runs. This
     * is what {@code StackFrameInfo} returns.
     */
    static native int originalIndex(Object frame, int index);

    // Called once by the agent.

    /** Hides the members that the agent added to {@link Object} and {@link Thread} from reflection. */
    static void install(String[] names) {
        Set<String> hidden = Set.of(names);
        Reflection.registerFieldsToFilter(Thread.class, hidden);
        Reflection.registerMethodsToFilter(Object.class, hidden);
    }

    /** A thread for the agent, which inherits nothing from this one. */
    static Thread worker() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return new Thread(group, null, "subsume", 0, false);
    }

    // What subsume.Profile forwards to; it documents them.

    public static native boolean start();

    public static native boolean stop();

    public static native boolean dump(String path);

    public static native boolean isRecording();

    public static long beginTest() {
        return beginTest(tree(Thread.currentThread()));
    }

    public static String[] endTest(long test) {
        return endTest(tree(Thread.currentThread()), test);
    }

    /** Begins to measure what this thread executes, in calls by the method that has made this one. */
    public static long beginMeasuring() {
        Thread thread = Thread.currentThread();
        int tree = tree(thread);
        measures = true;
        return beginMeasuring(tree, place(thread.$subsume$slot));
    }

    /** Ends it. */
    public static String endMeasuring(long number, Method within) {
        return endMeasuring(tree(Thread.currentThread()), number, within);
    }

    /** Whether anything was ever measured. */
    private static boolean measures;

    /**
     * Called by the methods with which the JVM links calls: what they execute is left out of what
     * is measured. The result is for {@link #endLink}.
     */
    public static long beginLink() {
        if (!measures) {
            return 0;
        }
        Thread thread = Thread.currentThread();
        int tree = thread.$subsume$tree;
        return tree == 0 ? 0 : beginLink(tree, place(thread.$subsume$slot));
    }

    /** Called when they return. */
    public static void endLink(long link) {
        if (link != 0) {
            endLink(Thread.currentThread().$subsume$tree, link);
        }
    }

    /** The word at an address. */
    private static int place(long address) {
        return (int) (address - BASE >>> 2);
    }

    /**
     * Binds the other native methods. The JVM finds this one by its exported name; binding the
     * others from inside it spares a warning about foreign code that binds methods of the JDK.
     */
    private static native void bindNatives();

    // Bound by it.

    private static native long base();

    private static native long scratchTable();

    /** Address of the cells with sizes of instances, 0 if bytes are not counted. */
    private static native long sizes();

    /** A number about how objects are laid out, 0 if bytes are not counted. */
    private static native int layout(int number);

    /** The class that the method which has called the probe allocates; null if it is not known. */
    private static native Class<?> allocated(int cell);

    /** Begins a test on the thread of this tree. */
    private static native long beginTest(int tree);

    /** Ends it. */
    private static native String[] endTest(int tree, long test);

    private static native long beginMeasuring(int tree, int slot);

    private static native String endMeasuring(int tree, long number, Method within);

    private static native long beginLink(int tree, int slot);

    private static native void endLink(int tree, long link);

    /** A tree for a thread that has none; its root slot is the word behind it. */
    private static native int attach(Thread thread);

    /** A new node, linked below the slot. */
    private static native int create(int tree, int slot, int method);

    /** As in {@code java.lang.invoke.MethodHandleNatives.Constants}. */
    private static final int HIDDEN_CLASS = 2;

    /**
     * The bytes of a class that the JDK is about to define, with probes if it is a hidden one. The
     * JVM shows all others to the agent when it defines them; probes now would be probes twice.
     */
    public static byte[] defined(byte[] bytes, int flags) {
        return (flags & HIDDEN_CLASS) == 0 ? bytes : hiddenClass(bytes);
    }

    /** The bytes of a hidden class with probes, or the same array. */
    private static native byte[] hiddenClass(byte[] bytes);
}
