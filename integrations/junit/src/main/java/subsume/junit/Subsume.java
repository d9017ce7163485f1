package subsume.junit;

/**
 * Measures what code executes, for assertions of any kind.
 *
 * <pre>{@code
 * Costs costs = Subsume.measure(() -> shop.open(orders));
 * assertThat(costs.bytecodes()).isLessThan(10_000);
 * assertThat(costs.calls("java.sql.*.prepareStatement")).isEqualTo(1);
 * }</pre>
 */
public final class Subsume {
    /** Code that is measured. */
    public interface Body {
        /** Runs it. */
        void run() throws Throwable;
    }

    private Subsume() {
    }

    /**
     * Runs code and tells what it has executed on this thread. What it throws goes on to the caller,
     * also if it is a checked exception. Without the agent the costs are 0, and one line on standard
     * error says that nothing is measured; {@link Costs#isMeasured} tells.
     */
    public static Costs measure(Body body) {
        try {
            return Measurement.of(null, body);
        } catch (Throwable thrown) {
            throw Subsume.<RuntimeException>asIs(thrown);
        }
    }

    /** Has the compiler take an exception for an unchecked one. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T asIs(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
