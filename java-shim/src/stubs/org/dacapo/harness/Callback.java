package org.dacapo.harness;

/**
 * The union of the callbacks of the 9.12 and later harnesses, as far as ours overrides or reads
 * them: {@code timer} and {@code stop()} exist in 9.12 only, {@code stop(long)} since 9.12-MR1.
 */
public class Callback {
    protected long timer;

    public Callback(CommandLineArgs args) {
    }

    public boolean isWarmup() {
        return false;
    }

    public void start(String benchmark) {
    }

    public void stop() {
    }

    public void stop(long duration) {
    }
}
