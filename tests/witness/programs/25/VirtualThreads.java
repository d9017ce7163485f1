import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;

/** Virtual threads that park and go on, handed one value after the other. */
public class VirtualThreads {
    static int work(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += step(i);
        }
        return sum;
    }

    static int step(int i) {
        if (i % 5 == 4) {
            Thread.yield();
        }
        return i;
    }

    static int recursive(int n) {
        if (n == 0) {
            LockSupport.parkNanos(1_000_000);
            return 0;
        }
        return recursive(n - 1) + 1;
    }

    static class Results {
        int total;

        synchronized void add(int n) {
            total += n;
        }
    }

    public static void main(String[] args) throws Exception {
        Results results = new Results();
        for (int i = 0; i < 10; i++) {
            int n = i;
            Thread thread = Thread.ofVirtual().name("virtual worker").start(() -> results.add(work(n) + recursive(n)));
            thread.join();
        }
        System.out.println(results.total);
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        Thread consumer = Thread.ofVirtual().name("virtual consumer").start(() -> {
            try {
                for (int i = 0; i < 5; i++) {
                    results.add(work(queue.take()));
                }
            } catch (InterruptedException e) {
                results.add(-1);
            }
        });
        for (int i = 0; i < 5; i++) {
            queue.put(i * 3);
        }
        consumer.join();
        Thread pinned = Thread.ofVirtual().name("virtual pinned").start(() -> {
            synchronized (results) {
                results.add(recursive(3));
            }
        });
        pinned.join();
        Thread failing = Thread.ofVirtual().name("virtual failing").unstarted(() -> {
            throw new IllegalStateException("out of run");
        });
        failing.setUncaughtExceptionHandler((thread, e) -> results.add(e.getMessage().length()));
        failing.start();
        failing.join();
        System.out.println(results.total);
    }
}
