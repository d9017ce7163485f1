package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Numbers of objects: the identity hash, which is a number of ours if the object has none yet. Threads
 * draw numbers in blocks, in ascending order.
 */
final class SubsumeIdentities {
    static {
        bindNatives();
    }

    /** The bit that numbers of ours have: the JVM's own hashes are numbers from 1 on. */
    static final int DRAWN = 1 << 30;

    /** Address of the number of the next block, an int. */
    private static final long NEXT = next();

    private static final Unsafe U = Unsafe.getUnsafe();

    /** Numbers of a block. */
    private static final int BLOCK = 1 << 12;

    private SubsumeIdentities() {
    }

    /**
     * A number that no other object has, for as long as fewer than {@link #DRAWN} objects have been
     * given one; 0 for null. At the address is the number that the thread draws next.
     */
    @ForceInline
    @Hidden
    static int of(long drawn, Object object) {
        if (object == null) {
            return 0;
        }
        long mark = U.getLong(object, 0L);
        if (SubsumeMark.isLocked(mark)) {
            return System.identityHashCode(object);
        }
        int hash = (int) (mark >>> SubsumeMark.HASH_SHIFT) & 0x7FFF_FFFF;
        return hash != 0 ? hash : draw(drawn, object, mark);
    }

    @DontInline
    @Hidden
    private static int draw(long drawn, Object object, long mark) {
        int number = U.getInt(null, drawn);
        if ((number & BLOCK - 1) == 0) {
            number = U.getAndAddInt(null, NEXT, BLOCK) & DRAWN - 1;
            // The first number of a block says that it is used up.
            number++;
        }
        long marked = mark | (long) (DRAWN | number) << SubsumeMark.HASH_SHIFT;
        if (!U.compareAndSetLong(object, 0L, mark, marked)) {
            return System.identityHashCode(object);
        }
        U.putInt(null, drawn, number + 1);
        return DRAWN | number;
    }

    /** Initialises the class; true if objects have room for numbers. */
    static boolean isReady() {
        return NEXT != 0 && SubsumeMark.isReady() && SubsumeMark.HASH_SHIFT > 0;
    }

    /** Binds the native method; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    private static native long next();
}
