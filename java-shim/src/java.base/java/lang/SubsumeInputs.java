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

    /** Strings of so many bytes at most are hashed each time. */
    private static final int ALL_BYTES = 128;

    private static final int LOG_OF_LONG_STRINGS = 11;

    static final long STRING_BYTES = U.objectFieldOffset(String.class, "value");
    static final long STRING_CODER = U.objectFieldOffset(String.class, "coder");

    /**
     * Hashes of long strings, by the numbers of their bytes: pairs of a hash, and that hash with the number
     * mixed in. Threads write it as they come, so a pair counts only if its halves fit. The strings' own
     * hashes are not used: a string that somebody is just putting together would keep a wrong one.
     */
    private static final long[] LONG_STRINGS = new long[2 << LOG_OF_LONG_STRINGS];

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
        return object instanceof String ? contents(drawn, object) : SubsumeIdentities.of(drawn, object);
    }

    /**
     * What stands for the contents of a string; it has a bit that no number of an object has. At the address
     * is the number that the thread draws next.
     */
    @DontInline
    @Hidden
    static long contents(long drawn, Object string) {
        Object bytes = U.getReference(string, STRING_BYTES);
        if (bytes == null) {
            // Libraries let Unsafe make one without a constructor, and fill it then.
            return Long.MIN_VALUE;
        }
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
            return hash(bytes, length, sample) | Long.MIN_VALUE;
        }
        return ofLong(drawn, bytes, length, sample) | Long.MIN_VALUE;
    }

    @DontInline
    @Hidden
    private static long ofLong(long drawn, Object bytes, int length, long sample) {
        long number = SubsumeIdentities.of(drawn, bytes);
        int at = (int) (number * MIX >>> 64 - LOG_OF_LONG_STRINGS) << 1;
        // Two strings of other lengths or coders may share their bytes while they are put together.
        long key = mix(sample, number);
        long hash = LONG_STRINGS[at];
        if ((LONG_STRINGS[at + 1] ^ hash) != key) {
            hash = hash(bytes, length, sample);
            LONG_STRINGS[at] = hash;
            LONG_STRINGS[at + 1] = hash ^ key;
        }
        return hash;
    }

    /** The hash of eight bytes or more, with what is known of them. */
    @DontInline
    @Hidden
    private static long hash(Object bytes, int length, long sample) {
        long hash = sample;
        for (int at = 0; at < length - 8; at += 8) {
            hash = mix(hash, U.getLong(bytes, FIRST_BYTE + at));
        }
        return mix(hash, U.getLong(bytes, FIRST_BYTE + length - 8));
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
