package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Blocks of ints outside the Java heap, by number, with a free list for each size class: Treiber
 * stacks, whose heads have a tag against the ABA problem. A block keeps its size for ever and stays
 * mapped, so a thread that uses a block that was freed meanwhile does no harm to memory.
 */
final class SubsumeFreeLists {
    private static final Unsafe U = Unsafe.getUnsafe();

    // Byte offsets in a block.

    /** How many ints it has. */
    private static final int CAPACITY = 0;

    /** Which list it belongs to while it is free. */
    private static final int SIZE = 4;

    /** The next one in that list, or a block that is freed together with this one. */
    private static final int NEXT = 8;

    private static final int FIRST = 16;

    /** Blocks are numbered, and their sizes counted, in units of 16 bytes: four ints. */
    private static final int LOG_OF_UNIT = 4;

    /** Sizes are 2, 3, 4, 6, 8, 12 ... units. */
    private static final int SIZES = 40;

    private static final int MOST_INTS = (unitsOf(SIZES - 1) - 1) * 4;

    /** From so many bytes on, memory is cleared by the JVM. */
    private static final int MANY_BYTES = 1 << 10;

    /** Units that blocks may take: as many bytes as half the heap. */
    private static final long MOST_UNITS =
            Math.min(Runtime.getRuntime().maxMemory() >> LOG_OF_UNIT + 1, 1L << 30);

    /** When so many are taken, blocks of arrays that nobody uses are looked for. */
    private static final long ENOUGH_UNITS = MOST_UNITS - (MOST_UNITS >> 2);

    /** Address of the number of units that are taken. */
    private static final long TAKEN = SubsumeClockCache.memory(SIZES * 8 + 8);

    /** For each size, the first free block, and above it a number that no two heads share soon. */
    private static final long HEADS = TAKEN + 8;

    private static final long MEMORY =
            TAKEN == 0 ? 0 : SubsumeClockCache.memory((MOST_UNITS + 1) << LOG_OF_UNIT);

    private SubsumeFreeLists() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return SIZES > 0;
    }

    /** A new block of at least so many ints that are 0; 0 without memory. */
    @DontInline
    @Hidden
    static int make(int ints) {
        if (MEMORY == 0 || ints > MOST_INTS) {
            return 0;
        }
        int units = 1 + (ints + 3 >>> 2);
        int size = 0;
        while (unitsOf(size) < units) {
            size++;
        }
        int block = pop(size);
        if (block == 0) {
            block = take(size);
        }
        if (block != 0) {
            clear(block, unitsOf(size) - 1);
        }
        return block;
    }

    @ForceInline
    @Hidden
    private static int unitsOf(int size) {
        return 2 + (size & 1) << (size >>> 1);
    }

    @ForceInline
    @Hidden
    static long address(int block) {
        return MEMORY + ((long) block << LOG_OF_UNIT);
    }

    /** Address of the first int of a block. */
    @ForceInline
    @Hidden
    static long start(int block) {
        return address(block) + FIRST;
    }

    @Hidden
    private static void clear(int block, int units) {
        U.putInt(null, address(block) + NEXT, 0);
        long start = start(block);
        long bytes = (long) units << LOG_OF_UNIT;
        if (bytes >= MANY_BYTES) {
            U.setMemory(start, bytes, (byte) 0);
            return;
        }
        for (long at = start; at < start + bytes; at += 8) {
            U.putLong(null, at, 0);
        }
    }

    /** Memory that was not used yet; 0 if there is none. */
    @Hidden
    private static int take(int size) {
        for (int i = 0; i < 4 && U.getLong(null, TAKEN) > ENOUGH_UNITS; i++) {
            SubsumeClockCache.hurry();
            int block = pop(size);
            if (block != 0) {
                return block;
            }
        }
        int units = unitsOf(size);
        long taken = U.getAndAddLong(null, TAKEN, units);
        if (taken + units > MOST_UNITS) {
            U.getAndAddLong(null, TAKEN, -units);
            return 0;
        }
        SubsumeClockCache.takeMemory((long) units << LOG_OF_UNIT);
        // Number 0 is none.
        int block = (int) taken + 1;
        U.putInt(null, address(block) + CAPACITY, units - 1 << 2);
        U.putInt(null, address(block) + SIZE, size);
        return block;
    }

    @Hidden
    private static int pop(int size) {
        long place = HEADS + ((long) size << 3);
        while (true) {
            long head = U.getLongVolatile(null, place);
            int block = (int) head;
            if (block == 0) {
                return 0;
            }
            // Another thread may have taken the block; then the head is not the same any more.
            long next = U.getInt(null, address(block) + NEXT);
            if (U.compareAndSetLong(null, place, head, after(head) | next)) {
                return block;
            }
        }
    }

    @ForceInline
    @Hidden
    private static long after(long head) {
        return (head >>> 32) + 1 << 32;
    }

    /** Frees a block, if there is one, and what is freed together with it. */
    @Hidden
    static void free(int numbered) {
        int block = numbered & ~SubsumeElements.READ_BITS;
        while (block != 0) {
            int next = U.getInt(null, address(block) + NEXT);
            push(block);
            block = next;
        }
    }

    @Hidden
    private static void push(int block) {
        int size = U.getInt(null, address(block) + SIZE);
        long place = HEADS + ((long) size << 3);
        while (true) {
            long head = U.getLongVolatile(null, place);
            U.putInt(null, address(block) + NEXT, (int) head);
            if (U.compareAndSetLong(null, place, head, after(head) | block)) {
                return;
            }
        }
    }

    /** A block will be freed together with another one. */
    @Hidden
    static void tie(int block, int other) {
        U.putInt(null, address(block) + NEXT, other);
    }

    @ForceInline
    @Hidden
    static int capacity(int block) {
        return U.getInt(null, address(block) + CAPACITY);
    }

    @ForceInline
    @Hidden
    static int get(int block, int index) {
        return index < capacity(block) ? U.getInt(null, start(block) + ((long) index << 2)) : 0;
    }

    @ForceInline
    @Hidden
    static void set(int block, int index, int value) {
        if (index < capacity(block)) {
            U.putInt(null, start(block) + ((long) index << 2), value);
        }
    }
}
