import java.util.concurrent.CountDownLatch;

/** Objects with finalizers; the JVM's own thread runs them. */
@SuppressWarnings("removal")
public class Finalizers {
    static final CountDownLatch DONE = new CountDownLatch(20);
    static int finalized;

    static class Doomed {
        final int number;

        Doomed(int number) {
            this.number = number;
        }

        @Override
        protected void finalize() {
            for (int i = 0; i < 5; i++) {
                finalized += step(i);
            }
            DONE.countDown();
        }

        int step(int i) {
            return i % 2;
        }
    }

    /** An empty finalizer is none to the JVM. */
    static class Harmless {
        @Override
        protected void finalize() {
        }
    }

    static void make() {
        for (int i = 0; i < 20; i++) {
            new Doomed(i);
            new Harmless();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        make();
        Collects.untilFinalized(DONE);
        System.out.println(finalized);
    }
}
