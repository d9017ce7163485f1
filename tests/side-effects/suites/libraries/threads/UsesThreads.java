import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** 100,000 virtual threads, which take locks, sleep, and fail now and then. */
public final class UsesThreads {
    private UsesThreads() {
    }

    private static final int THREADS = 100_000;
    private static final ReentrantLock[] LOCKS = new ReentrantLock[16];
    private static final long[] GUARDED = new long[16];
    private static long entered;
    private static final AtomicLong SUM = new AtomicLong();
    private static final AtomicInteger FAILED = new AtomicInteger();
    private static final ThreadLocal<Integer> LOCAL = new ThreadLocal<>();

    private static void work(int number) throws InterruptedException {
        LOCAL.set(number);
        ReentrantLock lock = LOCKS[number & 15];
        lock.lock();
        try {
            GUARDED[number & 15] += number;
        } finally {
            lock.unlock();
        }
        if (number % 4 == 0) {
            Thread.sleep(1 + number % 5);
        } else if (number % 4 == 1) {
            Thread.yield();
        }
        synchronized (LOCKS) {
            entered++;
        }
        if (number % 100 == 7) {
            throw new IllegalStateException("number " + number);
        }
        SUM.addAndGet(LOCAL.get() * 31L + (Thread.currentThread().isVirtual() ? 1 : 2));
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < LOCKS.length; i++) {
            LOCKS[i] = new ReentrantLock();
        }
        Semaphore room = new Semaphore(5000);
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch started = new CountDownLatch(1);
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                room.acquire();
                executor.execute(() -> {
                    try {
                        if (number < 100) {
                            started.await();
                        }
                        work(number);
                    } catch (InterruptedException | IllegalStateException e) {
                        FAILED.incrementAndGet();
                    } finally {
                        room.release();
                    }
                });
                if (i == 1000) {
                    started.countDown();
                }
            }
        }
        long guarded = entered - THREADS;
        for (long part : GUARDED) {
            guarded += part;
        }
        System.out.println(SUM.get() + " " + guarded + " " + FAILED.get());
        System.out.println("all threads have ended");
    }
}
