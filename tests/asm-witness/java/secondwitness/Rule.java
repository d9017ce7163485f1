package secondwitness;

/** Rules of {@link MethodResults} that can be broken, so that a test sees whether its comparison notices. */
public enum Rule {
    /** Strings are compared by what they say. */
    STRINGS,
    /** A result is compared with that of the last time, not with the first one. */
    LAST_RESULT,
    /** The receiver is part of the input. */
    RECEIVER_IN_INPUT,
    /** Receivers are compared by identity. */
    IDENTITY,
    /** Calls that end by exceptions count for nothing. */
    EXCEPTIONS,
    /** The call before is the last one, whatever came of it. */
    CALL_BEFORE,
    /** A method that always returns null is one that never returns anything else. */
    ALWAYS_NULL;

    /** Whether the witness does otherwise. */
    public volatile boolean isBroken;
}
