package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What stands for an input, or a result: values by their bits, strings by their contents, other objects by
 * their numbers. {@link SubsumeStructures} has another answer for objects.
 */
final class SubsumeInputs {
    static {
        bindNatives();
    }

    private static final Unsafe U = Unsafe.getUnsafe();

    /** The golden ratio, and a number that the finaliser of SplitMix64 multiplies by. */
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final long MIX_AGAIN = 0x94D0_49BB_1331_11EBL;

    /** Of strings with so many bytes at most, all are compared. */
    private static final int ALL_BYTES = 128;

    private static final long STRING_BYTES = U.objectFieldOffset(String.class, "value");
    private static final long STRING_HASH = U.objectFieldOffset(String.class, "hash");
    private static final long STRING_CODER = U.objectFieldOffset(String.class, "coder");
    /** The type of what Unsafe says of it differs by JDK. */
    static final long FIRST_BYTE = firstByte();

    private SubsumeInputs() {
    }

    /**
     * The hash of what has this hash so far, and a value. Numbers of receivers and values are often small
     * and near each other, so only one of the two is multiplied before they meet.
     */
    @ForceInline
    @Hidden
    static long mix(long hash, long value) {
        long both = hash * MIX ^ value;
        long product = (both ^ both >>> 32) * MIX_AGAIN;
        return product ^ product >>> 29;
    }

    /** What stands for an object. At the address is the number that the thread draws next. */
    @ForceInline
    @Hidden
    static long of(long drawn, Object object) {
        return object instanceof String ? contents(object) : SubsumeIdentities.of(drawn, object);
    }

    /** What stands for the contents of a string; it has a bit that no number of an object has. */
    @DontInline
    @Hidden
    static long contents(Object string) {
        Object bytes = U.getReference(string, STRING_BYTES);
        int length = ((byte[]) bytes).length;
        byte coder = U.getByte(string, STRING_CODER);
        long sample = (long) length << 1 | coder;
        if (length < 8) {
            for (int at = 0; at < length; at++) {
                sample = sample << 8 | U.getByte(bytes, FIRST_BYTE + at) & 0xFF;
            }
            return mix(0, sample) | Long.MIN_VALUE;
        }
        if (length <= ALL_BYTES) {
            for (int at = 0; at < length - 8; at += 8) {
                sample = mix(sample, U.getLong(bytes, FIRST_BYTE + at));
            }
            return mix(sample, U.getLong(bytes, FIRST_BYTE + length - 8)) | Long.MIN_VALUE;
        }
        int hash = U.getInt(string, STRING_HASH);
        if (hash == 0) {
            hash = hash(bytes, length, coder);
            U.putInt(string, STRING_HASH, hash);
        }
        // Long strings of equal hashes differ in length, or at the ends, or in the middle.
        sample = mix(sample, hash);
        sample = mix(sample, U.getLong(bytes, FIRST_BYTE));
        sample = mix(sample, U.getLong(bytes, FIRST_BYTE + (length >>> 1) - 4));
        return mix(sample, U.getLong(bytes, FIRST_BYTE + length - 8)) | Long.MIN_VALUE;
    }

    /** The hash that the string computes itself. */
    @DontInline
    @Hidden
    private static int hash(Object bytes, int length, byte coder) {
        int hash = 0;
        if (coder == 0) {
            for (int at = 0; at < length; at++) {
                hash = 31 * hash + (U.getByte(bytes, FIRST_BYTE + at) & 0xFF);
            }
        } else {
            for (int at = 0; at < length; at += 2) {
                hash = 31 * hash + U.getChar(bytes, FIRST_BYTE + at);
            }
        }
        return hash;
    }

    /** Initialises the class; true if objects have room for numbers. */
    static boolean isReady() {
        return SubsumeIdentities.isReady() && STRING_BYTES > 0 && FIRST_BYTE > 0;
    }

    /** Binds the native method; see {@link SubsumeRuntime}. */
    private static native void bindNatives();

    // Bound by it.

    /** Where the elements of an array of bytes begin. */
    private static native long firstByte();
}
