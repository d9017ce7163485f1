package subsume;

/**
 * Records exactly the timed iteration of a benchmark run by the DaCapo 2006-10 harness
 * ({@code -c subsume.Callback}), or, with {@code -Dsubsume.from=N}, from the Nth iteration on: code
 * that has just got its probes has to be compiled again, which one iteration is too short for.
 *
 * <p>The harness calls {@code start} and {@code stop} around the timed iteration and differently
 * named methods around warm-up iterations. Its announcements are printed by the superclass, outside
 * the recording.
 *
 * <p>The constructor is where a recording that was on since the JVM started ends, because the
 * harness creates its callback before the first iteration.
 */
public class Callback extends dacapo.Callback {
    private final int from = Integer.getInteger("subsume.from", Integer.MAX_VALUE);
    private int iteration;

    public Callback() {
        if (SubsumeRuntime.isRecording()) {
            SubsumeRuntime.stop();
            System.err.println("subsume: the profile also holds the start of the harness; "
                + "use start=off to record the timed iteration only");
        }
    }

    /** Called right before an iteration that is not timed. */
    @Override
    public void startWarmup(String benchmark) {
        super.startWarmup(benchmark);
        if (++iteration >= from) {
            startRecording();
        }
    }

    /** Called right before the timed iteration. */
    @Override
    public void start(String benchmark) {
        super.start(benchmark);
        startRecording();
    }

    private void startRecording() {
        SubsumeRuntime.start();
        // The superclass took the time before recording was switched on for all
        // loaded classes, and that switch must not count as part of the benchmark.
        timer = System.currentTimeMillis();
    }

    /** Called right after the timed iteration. */
    @Override
    public void stop() {
        long end = System.currentTimeMillis();
        SubsumeRuntime.stop();
        // The superclass takes the difference to the current time. Moving the start
        // by what switching off took leaves the time of the iteration.
        timer += System.currentTimeMillis() - end;
        super.stop();
    }
}
