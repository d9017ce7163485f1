package dacapo;

/** Announces iterations and takes their time, with the methods of the 2006-10 callback. */
public class Callback {
    protected long timer;

    public void start(String benchmark) {
        begin(benchmark, "");
    }

    public void startWarmup(String benchmark) {
        begin(benchmark, "warmup ");
    }

    public void stop() {
        timer = System.currentTimeMillis() - timer;
    }

    public void stopWarmup() {
        timer = System.currentTimeMillis() - timer;
    }

    public void complete(String benchmark, boolean valid) {
        finish(benchmark, valid, " PASSED in ");
    }

    public void completeWarmup(String benchmark, boolean valid) {
        finish(benchmark, valid, " completed warmup in ");
    }

    private void begin(String benchmark, String kind) {
        timer = System.currentTimeMillis();
        System.err.println("== " + benchmark + " starting " + kind);
    }

    private void finish(String benchmark, boolean valid, String how) {
        System.err.println("== " + benchmark + (valid ? how + timer : " FAILED"));
    }
}
