package java.lang;

import java.lang.ref.WeakReference;

/**
 * The last writers of an array's elements; see {@link SubsumeCosts}. Objects of this class are made
 * without running a constructor, which would be recorded.
 */
final class SubsumeElements extends WeakReference<Object> {
    /** The last writer of each element, or of each group of neighbours. */
    int[] writers;

    /** Binary logarithm of the number of elements in a group. */
    int shift;

    /** The next one with the same hash. */
    SubsumeElements next;

    private SubsumeElements() {
        super(null);
    }
}
