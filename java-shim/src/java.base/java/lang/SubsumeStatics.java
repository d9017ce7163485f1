package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/** The last writers of static fields, each a word, in recordings that have them. */
final class SubsumeStatics {
    static {
        bindNatives();
    }

    private static final Unsafe U = Unsafe.getUnsafe();

    /** For each number of a field, its last writer. */
    private static final long WRITERS = writers();

    /** For each number, that of the field that it stands for, 0 if that is not known. */
    private static final long MEANT = meant();

    private SubsumeStatics() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return U != null;
    }

    /**
     * The number of a field. Code that was rewritten before it was known which class declares the
     * field that it names has the complement of a number.
     */
    @ForceInline
    @Hidden
    static int number(int field) {
        if (field >= 0) {
            return field;
        }
        int meant = U.getInt(null, MEANT + ((long) ~field << 2));
        return meant != 0 ? meant : ~field;
    }

    /** The last writer of the field of this number. */
    @ForceInline
    @Hidden
    static int writer(int number) {
        return U.getInt(null, WRITERS + ((long) number << 2));
    }

    /** It was written by this one. */
    @ForceInline
    @Hidden
    static void write(int number, int writer) {
        U.putInt(null, WRITERS + ((long) number << 2), writer);
    }

    /** Binds the native methods; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    private static native long writers();

    private static native long meant();
}
