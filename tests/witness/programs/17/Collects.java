import java.lang.ref.Cleaner;
import java.util.concurrent.CountDownLatch;

/** Has the collector run until it has done what is waited for. */
class Collects {
    private Collects() {
    }

    /** Waits for what finalizers count down, and until the last of them has returned. */
    static void untilFinalized(CountDownLatch done) throws InterruptedException {
        until(done);
        // One thread runs them all, so those before this one are over.
        CountDownLatch later = new CountDownLatch(1);
        new Last(later);
        until(later);
    }

    /** Waits for what a cleaner's actions count down, and until the last has returned. */
    static void untilCleaned(Cleaner cleaner, CountDownLatch done) throws InterruptedException {
        until(done);
        CountDownLatch later = new CountDownLatch(1);
        cleaner.register(new Object(), later::countDown);
        until(later);
    }

    /** On a thread of its own, since nobody knows how many collections it takes. */
    private static void until(CountDownLatch done) throws InterruptedException {
        Thread collector = new Thread(() -> {
            while (done.getCount() > 0) {
                System.gc();
                Thread.yield();
            }
        }, "collector");
        collector.setDaemon(true);
        collector.start();
        done.await();
    }

    @SuppressWarnings("removal")
    private static class Last {
        final CountDownLatch done;

        Last(CountDownLatch done) {
            this.done = done;
        }

        @Override
        protected void finalize() {
            done.countDown();
        }
    }
}
