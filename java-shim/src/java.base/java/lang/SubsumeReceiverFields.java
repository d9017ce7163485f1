package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Accesses specialised on the receiver: to fields of {@code this}, in methods that have counters for
 * each tag of their receiver. The tag of an access is known then, and how often the access was
 * executed follows from the counters of its block.
 *
 * <p>Left are the last writers, and what references lead to: of each the last two that an
 * instruction met lie behind the counters, so that they are noted only once. See {@link
 * SubsumeCosts} and {@link SubsumeInlineCache}.
 */
final class SubsumeReceiverFields {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** What lies from here on is not of the recording. */
    private static final long LIMIT = SubsumeCosts.limit();

    // Byte offsets in what a load keeps.
    private static final int WRITER = 0;
    private static final int WRITER_BEFORE = 4;

    // Byte offsets in what a store keeps.
    private static final int OVERWRITTEN = 0;
    private static final int TARGET = 8;
    private static final int TARGET_BEFORE = 12;

    private SubsumeReceiverFields() {
    }

    /** Initialises the class. */
    static boolean isReady() {
        return LIMIT != 0;
    }

    /** A node loaded what was written by another one. */
    @ForceInline
    @Hidden
    static int loaded(int writer, int node, long counters, int offset) {
        int read = writer | SubsumeCosts.READ;
        if (U.getInt(null, counters + (offset + WRITER)) != read) {
            meetWriter(read, node, counters, offset);
        }
        return read;
    }

    @DontInline
    @Hidden
    private static void meetWriter(int read, int node, long counters, int offset) {
        if (U.getInt(null, counters + (offset + WRITER_BEFORE)) == read) {
            return;
        }
        if (read != SubsumeCosts.READ) {
            SubsumeCosts.depend(read & ~SubsumeCosts.READ, node);
        }
        if (counters < LIMIT) {
            int before = U.getInt(null, counters + (offset + WRITER));
            U.putInt(null, counters + (offset + WRITER_BEFORE), before);
            U.putInt(null, counters + (offset + WRITER), read);
        }
    }

    /** A node stored where another one had written. */
    @ForceInline
    @Hidden
    static int stored(int writer, int node, long counters, int offset) {
        if (writer > 0) {
            long at = counters + (offset + OVERWRITTEN);
            U.putLong(null, at, U.getLong(null, at) + 1);
        }
        return node;
    }

    /** A field has got a reference. */
    @ForceInline
    @Hidden
    static void refers(Object value, int field, long counters, int offset) {
        if (value != null) {
            // Less than that of any tag where the mark does not tell it, but never 0.
            int target = SubsumeTags.marked(value) | SubsumeCosts.READ;
            if (U.getInt(null, counters + (offset + TARGET)) != target) {
                meetTarget(value, field, counters, offset);
            }
        }
    }

    @DontInline
    @Hidden
    private static void meetTarget(Object value, int field, long counters, int offset) {
        int tag = SubsumeTags.tag(value);
        int target = tag | SubsumeTags.MARKED | SubsumeCosts.READ;
        int last = U.getInt(null, counters + (offset + TARGET));
        if (counters < LIMIT && last != target
                && U.getInt(null, counters + (offset + TARGET_BEFORE)) != target) {
            SubsumeInlineCache.refers(SubsumeActivation.receiver(counters), field, tag);
            U.putInt(null, counters + (offset + TARGET_BEFORE), last);
            U.putInt(null, counters + (offset + TARGET), target);
        }
    }
}
