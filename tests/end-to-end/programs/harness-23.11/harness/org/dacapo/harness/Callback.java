package org.dacapo.harness;

/** Announces iterations and decides on further ones, with the methods of the 23.11 callback. */
public class Callback {
    protected enum Mode {
        WARMUP, TIMING
    }

    protected Mode mode;
    protected final CommandLineArgs args;
    protected int iterations;
    protected long elapsed;

    public Callback(CommandLineArgs args) {
        this.args = args;
    }

    public void init() {
        mode = args.getIterations() == 1 ? Mode.TIMING : Mode.WARMUP;
    }

    public boolean runAgain() {
        if (!isWarmup()) {
            return false;
        }
        iterations++;
        if (iterations == args.getIterations() - 1) {
            mode = Mode.TIMING;
        }
        return true;
    }

    public boolean isWarmup() {
        return mode == Mode.WARMUP;
    }

    public void start(String benchmark) {
        start(benchmark, isWarmup());
    }

    protected void start(String benchmark, boolean warmup) {
        System.out.println("== " + benchmark + " starting" + (warmup ? " warmup" : ""));
    }

    public void stop(long duration) {
        stop(duration, isWarmup());
    }

    public void stop(long duration, boolean warmup) {
        elapsed = duration;
    }

    public void complete(String benchmark, boolean valid) {
        System.out.println("== " + benchmark + (valid ? isWarmup() ? " completed warmup" : " PASSED" : " FAILED"));
    }
}
