package apps;

/** Watches iterations until they are steady, and what the JIT compilers do meanwhile. */
final class WarmUp {
    private final int least;
    private final Steadiness steadiness = new Steadiness();
    private final Compilers compilers = new Compilers();

    /** Starts before the first iteration, of which there are to be so many at least. */
    WarmUp(int least) {
        this.least = least;
        compilers.microsSinceLast();
    }

    /**
     * Takes the times of an iteration, in microseconds.
     *
     * @return milliseconds of processor time that the compilers used since the last one
     */
    String add(long wall, long processor) {
        steadiness.add(wall, processor);
        return Clock.millis(compilers.microsSinceLast());
    }

    /** Whether no further iteration is needed. */
    boolean isOver() {
        return steadiness.iterations() >= least && steadiness.isReached();
    }

    /** How it ended, and the first iteration of the last window. */
    String outcome() {
        return (steadiness.isReached() ? "steady" : "unsteady") + "\t" + steadiness.firstOfWindow();
    }
}
