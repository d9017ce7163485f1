package subsume.junit;

/** Fails a test that costs more than it may. */
public final class CostLimitError extends AssertionError {
    private static final long serialVersionUID = 1;

    CostLimitError(String message) {
        super(message);
    }
}
