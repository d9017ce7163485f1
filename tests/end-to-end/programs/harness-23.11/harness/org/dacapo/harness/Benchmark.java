package org.dacapo.harness;

/** One iteration: a fixed number of calls of {@link #unit}. */
public final class Benchmark {
    private static final int UNITS = 250;
    private static long sum;

    static void run(Callback callback) {
        callback.start("mini");
        long begin = System.currentTimeMillis();
        iterate();
        callback.stop(System.currentTimeMillis() - begin);
        callback.complete("mini", sum % UNITS == 0);
    }

    private static void iterate() {
        for (int i = 0; i < 2 * UNITS; i++) {
            unit(i % UNITS);
        }
    }

    private static void unit(int i) {
        sum += i;
    }
}
