import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads of every kind, with an outcome that does not depend on how they interleave. */
public final class WorksInThreads {
    private static final Object LOCK = new Object();
    private static int guarded;
    private static boolean ready;

    public static void main(String[] args) throws Exception {
        monitors();
        pool();
        forkJoin();
        manyShortThreads();
        diesInThread();
        virtualThreads();
    }

    private static synchronized void increment() {
        guarded++;
    }

    private static void monitors() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            Thread thread = new Thread(() -> {
                synchronized (LOCK) {
                    while (!ready) {
                        try {
                            LOCK.wait();
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    }
                }
                for (int i = 0; i < 5000; i++) {
                    increment();
                }
            });
            thread.start();
            threads.add(thread);
        }
        synchronized (LOCK) {
            ready = true;
            LOCK.notifyAll();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("guarded " + guarded);
    }

    private static void pool() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        CyclicBarrier barrier = new CyclicBarrier(4);
        List<Future<Integer>> futures = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int from = t * 250;
            futures.add(pool.submit(() -> {
                barrier.await();
                for (int i = from; i < from + 250; i++) {
                    map.merge(i % 100, 1, Integer::sum);
                }
                return from;
            }));
        }
        int sum = 0;
        for (Future<Integer> future : futures) {
            sum += future.get();
        }
        pool.shutdown();
        System.out.println("pool " + sum + " " + map.size() + " " + map.get(42));
    }

    private static final class Fibonacci extends RecursiveTask<Integer> {
        private final int n;

        Fibonacci(int n) {
            this.n = n;
        }

        @Override
        protected Integer compute() {
            if (n < 2) {
                return n;
            }
            Fibonacci left = new Fibonacci(n - 1);
            left.fork();
            return new Fibonacci(n - 2).compute() + left.join();
        }
    }

    private static void forkJoin() {
        System.out.println("fork-join " + new ForkJoinPool(3).invoke(new Fibonacci(15)));
    }

    private static void manyShortThreads() throws Exception {
        AtomicInteger count = new AtomicInteger();
        for (int t = 0; t < 300; t++) {
            Thread thread = new Thread(count::incrementAndGet);
            thread.start();
            if (t % 10 == 0) {
                thread.join();
            }
        }
        while (count.get() < 300) {
            Thread.sleep(1);
        }
        System.out.println("short " + count);
    }

    private static void diesInThread() throws Exception {
        Thread thread = new Thread(() -> {
            throw new IllegalStateException("in thread");
        }, "doomed");
        thread.setUncaughtExceptionHandler((t, e) -> System.out.println(t.getName() + ": " + e));
        thread.start();
        thread.join();
        ThreadLocal<Integer> local = ThreadLocal.withInitial(() -> 5);
        local.set(local.get() + 1);
        System.out.println("local " + local.get());
    }

    /** Virtual threads where the JDK has them; reached by reflection, as JDK 17 has not. */
    private static void virtualThreads() throws Exception {
        try {
            ExecutorService each =
                (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
            AtomicInteger sum = new AtomicInteger();
            CountDownLatch done = new CountDownLatch(200);
            for (int t = 0; t < 200; t++) {
                int value = t;
                each.submit(() -> {
                    Thread.sleep(1);
                    sum.addAndGet(value);
                    done.countDown();
                    return null;
                });
            }
            done.await();
            each.shutdown();
            System.out.println("virtual " + sum);
        } catch (NoSuchMethodException | InvocationTargetException absent) {
            System.out.println("no virtual threads");
        }
    }
}
