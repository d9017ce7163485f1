package subsume.junit;

/** Fails a test whose loops read the same data again and again. Its stack is that of the first loop. */
public final class RepeatedReadsError extends AssertionError {
    private static final long serialVersionUID = 1;

    RepeatedReadsError(String message, StackTraceElement[] stack) {
        super(message);
        setStackTrace(stack);
    }
}
