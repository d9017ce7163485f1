package dacapo;

/** The signature of the 2006-10 harness's callback, as far as ours overrides or reads it. */
public class Callback {
    protected long timer;

    public void start(String benchmark) {
    }

    public void startWarmup(String benchmark) {
    }

    public void stop() {
    }
}
