package org.dacapo.harness;

/** Runs the one benchmark of this harness as often as the callback asks for it. */
public class TestHarness {
    public static void main(String[] args) throws Exception {
        Callback callback = new CommandLineArgs(args).getCallback();
        callback.init();
        do {
            Benchmark.run(callback);
        } while (callback.runAgain());
    }
}
