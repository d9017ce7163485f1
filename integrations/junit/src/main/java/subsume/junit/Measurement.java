package subsume.junit;

import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import subsume.Profile;

/** Asks the agent. Says once why it cannot tell. */
final class Measurement {
    private static final AtomicBoolean SAID = new AtomicBoolean();

    private Measurement() {
    }

    /** The costs of a method that {@code body} calls, or of all that it does. */
    static Costs of(Method within, Subsume.Body body) throws Throwable {
        Call call = new Call(body);
        String text = Profile.measure(within, call);
        if (call.thrown != null) {
            throw call.thrown;
        }
        if (text == null) {
            if (SAID.compareAndSet(false, true)) {
                System.err.println("subsume: costs of tests are not checked: " + reason(within));
            }
            return Costs.NONE;
        }
        return new Costs(text, Thread.currentThread().getContextClassLoader());
    }

    /** A limit of bytes cannot be checked. */
    static void lacksBytes() {
        if (SAID.compareAndSet(false, true)) {
            System.err.println("subsume: bytes of tests are not checked: the agent does not count them (bytes=off)");
        }
    }

    private static String reason(Method within) throws Exception {
        if (!Profile.isRecording()) {
            return "the agent does not record (-agentpath:libsubsume.so)";
        }
        if (Profile.measure(null, () -> null) == null) {
            return "the agent records another mode than calls (say mode=calls)";
        }
        return (within == null ? "code" : within.getDeclaringClass().getName() + "." + within.getName())
                + " is not recorded, ran on another thread than the runner's, or has more contexts than there is room for";
    }

    /** Keeps what is thrown. */
    private static final class Call implements Callable<Void> {
        private final Subsume.Body body;
        private Throwable thrown;

        Call(Subsume.Body body) {
            this.body = body;
        }

        @Override
        public Void call() {
            try {
                body.run();
            } catch (Throwable any) {
                thrown = any;
            }
            return null;
        }
    }
}
