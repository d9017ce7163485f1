package dacapo;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A benchmark with a worker thread that lives from before the first iteration on. */
public class Benchmark {
    /** Calls of {@link #unit} in one iteration, on each of the two threads. */
    private static final int UNITS = 250;

    private final ExecutorService worker = Executors.newSingleThreadExecutor();
    private long sum;

    Benchmark() throws Exception {
        worker.submit(this::prepare).get();
    }

    final void run(Callback callback, boolean timing) throws Exception {
        if (timing) {
            callback.start("mini");
        } else {
            callback.startWarmup("mini");
        }
        iterate();
        if (timing) {
            callback.stop();
        } else {
            callback.stopWarmup();
        }
        boolean valid = validate();
        if (timing) {
            callback.complete("mini", valid);
        } else {
            callback.completeWarmup("mini", valid);
        }
    }

    private void prepare() {
        sum = 0;
    }

    private void iterate() throws Exception {
        Future<?> served = worker.submit(this::serve);
        for (int i = 0; i < UNITS; i++) {
            unit(i);
        }
        served.get();
    }

    private void serve() {
        for (int i = 0; i < UNITS; i++) {
            unit(i);
        }
    }

    private synchronized void unit(int i) {
        sum += i;
    }

    private boolean validate() {
        return sum % UNITS == 0;
    }
}
