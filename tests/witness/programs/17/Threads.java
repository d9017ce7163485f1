import java.util.concurrent.SynchronousQueue;

/** Threads that are started, joined and interrupted, with names of their own. */
public class Threads {
    static int shared;
    static final ThreadLocal<Integer> LOCAL = ThreadLocal.withInitial(() -> 100);

    static int work(int n) {
        int sum = LOCAL.get();
        for (int i = 0; i < n; i++) {
            sum += deeper(i);
        }
        LOCAL.set(sum);
        return LOCAL.get();
    }

    static int deeper(int i) {
        if (i % 7 == 6) {
            try {
                throw new IllegalStateException();
            } catch (IllegalStateException e) {
                return -1;
            }
        }
        return i;
    }

    static class Worker extends Thread {
        final int n;
        int result;

        Worker(int n) {
            super("worker " + n);
            this.n = n;
        }

        @Override
        public void run() {
            result = work(n);
        }
    }

    static void interrupted() {
        try {
            Thread.sleep(100_000);
        } catch (InterruptedException e) {
            shared += Thread.currentThread().isInterrupted() ? 1 : 10;
        }
    }

    static void failing() {
        throw new UnsupportedOperationException("thrown out of run");
    }

    public static void main(String[] args) throws InterruptedException {
        int sum = 0;
        for (int n = 1; n <= 4; n++) {
            Worker worker = new Worker(n * 10);
            worker.start();
            worker.join();
            sum += worker.result;
        }
        System.out.println(sum + " " + work(3));
        Thread sleeper = new Thread(Threads::interrupted, "sleeper");
        sleeper.start();
        sleeper.interrupt();
        sleeper.join();
        Thread fails = new Thread(Threads::failing, "fails");
        fails.setUncaughtExceptionHandler((thread, e) -> shared += e.getMessage().length());
        fails.start();
        fails.join();
        System.out.println(shared);
    }
}
