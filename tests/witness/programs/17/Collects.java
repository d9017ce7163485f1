import java.util.concurrent.CountDownLatch;

/** Has the collector run until it has done what is waited for. */
class Collects {
    private Collects() {
    }

    /** On a thread of its own, since nobody knows how many collections it takes. */
    static void until(CountDownLatch done) throws InterruptedException {
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
}
