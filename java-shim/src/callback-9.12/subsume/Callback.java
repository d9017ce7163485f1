package subsume;

import org.dacapo.harness.CommandLineArgs;

/**
 * Records exactly the timed iteration of a benchmark run by a DaCapo harness of the releases
 * 9.12-bach to 23.11-chopin ({@code -c subsume.Callback}), or, with {@code -Dsubsume.from=N}, from
 * the Nth iteration on: code that has just got its probes has to be compiled again, which one
 * iteration is too short for.
 *
 * <p>These harnesses call {@code start} and a {@code stop} around every iteration and tell a
 * warm-up by the callback's state. One class serves them all although the superclass differs:
 * 9.12-bach takes the time in its callback and calls {@code stop()}, later ones take it themselves
 * and call {@code stop(long)}. The method that a harness does not know is never called, and what it
 * refers to is resolved only when it is.
 *
 * <p>The constructor is where a recording that was on since the JVM started ends, because the
 * harness creates its callback before the first iteration.
 */
public class Callback extends org.dacapo.harness.Callback {
    private final int from = Integer.getInteger("subsume.from", Integer.MAX_VALUE);
    private int iteration;
    private long switchingOn;

    public Callback(CommandLineArgs args) {
        super(args);
        if (SubsumeRuntime.isRecording()) {
            SubsumeRuntime.stop();
            System.err.println("subsume: the profile also holds the start of the harness; "
                + "use start=off to record the timed iteration only");
        }
    }

    /** Called right before an iteration. */
    @Override
    public void start(String benchmark) {
        super.start(benchmark);
        if (++iteration >= from || !isWarmup()) {
            long begin = System.currentTimeMillis();
            SubsumeRuntime.start();
            switchingOn = System.currentTimeMillis() - begin;
        }
    }

    /** Called right after an iteration by the harness of 9.12-bach. */
    @Override
    public void stop() {
        if (!isWarmup()) {
            long end = System.currentTimeMillis();
            SubsumeRuntime.stop();
            // The superclass takes the difference between the current time and the
            // start of the iteration. Switching recording on and off for all loaded
            // classes lies between the two, and must not count.
            timer += switchingOn + System.currentTimeMillis() - end;
        }
        super.stop();
    }

    /** Called right after an iteration by the harnesses since 9.12-MR1. */
    @Override
    public void stop(long duration) {
        if (!isWarmup()) {
            SubsumeRuntime.stop();
        }
        super.stop(duration);
    }
}
