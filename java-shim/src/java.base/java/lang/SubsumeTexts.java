package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Numbers of methods whose contexts differ by the text of an argument: each pair of a method and a
 * text has one, which the entry probe of the method takes for the method's own.
 *
 * <p>The agent makes texts of arguments and gives the numbers. Those of strings that come again are
 * kept here, by their contents. Nothing of the program is called for that.
 */
final class SubsumeTexts {
    static {
        bindNatives();
    }

    private static final Unsafe U = Unsafe.getUnsafe();

    /** How many bytes of a string are looked at; the agent looks at no more characters. */
    private static final int MOST_BYTES = 1 << 16;

    private static final int LOG_OF_KNOWN = 12;

    /**
     * Numbers by the hash of method and contents: pairs of the hash, with the number mixed in, and the
     * number. Threads write it as they come, so a pair counts only if its halves fit.
     */
    private static final long[] KNOWN = new long[2 << LOG_OF_KNOWN];

    private SubsumeTexts() {
    }

    /** The number of a method with the text of this argument. */
    @DontInline
    @Hidden
    static int number(int method, Object argument) {
        if (!(argument instanceof String)) {
            return ask(method, argument);
        }
        Object bytes = U.getReference(argument, SubsumeInputs.STRING_BYTES);
        if (bytes == null) {
            // Libraries let Unsafe make one without a constructor, and fill it then.
            return method;
        }
        int length = ((byte[]) bytes).length;
        long hash = SubsumeInputs.mix(method, (long) length << 1 | U.getByte(argument, SubsumeInputs.STRING_CODER));
        if (length > MOST_BYTES) {
            length = MOST_BYTES;
        }
        int at = 0;
        for (; at <= length - 8; at += 8) {
            hash = SubsumeInputs.mix(hash, U.getLong(bytes, SubsumeInputs.FIRST_BYTE + at));
        }
        long rest = 0;
        for (; at < length; at++) {
            rest = rest << 8 | U.getByte(bytes, SubsumeInputs.FIRST_BYTE + at) & 0xFF;
        }
        hash = SubsumeInputs.mix(hash, rest);
        int place = (int) (hash >>> 64 - LOG_OF_KNOWN) << 1;
        long number = KNOWN[place + 1];
        if ((KNOWN[place] ^ number) != hash || number == 0) {
            number = ask(method, argument);
            KNOWN[place] = hash ^ number;
            KNOWN[place + 1] = number;
        }
        return (int) number;
    }

    /** Initialises the class; true if it knows where strings have their characters. */
    static boolean isReady() {
        return SubsumeInputs.STRING_BYTES > 0 && SubsumeInputs.STRING_CODER > 0 && SubsumeInputs.FIRST_BYTE > 0;
    }

    /** The number that the agent gives to a method with this argument. */
    private static native int ask(int method, Object argument);

    /** An object keeps the text of this number, which the agent asks it for. */
    static native void keep(Object object, int number);

    private static native void bindNatives();
}
