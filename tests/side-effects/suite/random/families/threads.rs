//! Threads and locks, whose results depend on no order.

use crate::random::generator::{Action, Cost, Writer};

/// Monitors and locks in one thread and in two.
pub fn locks(w: &mut Writer) -> Action {
    w.any("T");
    w.any("U");
    let fair = w.pick(&["true", "false"]);
    w.set("fair", fair);
    w.action(
        "locks",
        Cost::Threads,
        "    static class Guarded$n {
        $T value;
        long sum;
        int turn;

        synchronized long enter(int i, $T next) {
            value = next;
            synchronized (this) {
                if (i % 23 == 5) {
                    throw new IllegalStateException(\"guarded \" + i);
                }
                return sum = Sum.add(sum, value);
            }
        }

        static synchronized long shared($U value) {
            return Sum.add(1L, value);
        }

        synchronized void pingPong(int mine, int rounds) throws InterruptedException {
            for (int round = 0; round < rounds; round++) {
                while (turn % 2 != mine) {
                    wait();
                }
                turn++;
                sum = Sum.add(sum, turn);
                notifyAll();
            }
        }
    }

    static final ReentrantLock LOCK$n = new ReentrantLock($fair);
    static final Condition CHANGED$n = LOCK$n.newCondition();
    static final ReadWriteLock BOTH$n = new ReentrantReadWriteLock();
    static final StampedLock STAMPED$n = new StampedLock();
    static int state$n;

    static void alternate$n(int mine) {
        for (int round = 0; round < 10; round++) {
            LOCK$n.lock();
            try {
                while (state$n % 2 != mine) {
                    CHANGED$n.awaitUninterruptibly();
                }
                state$n++;
                CHANGED$n.signalAll();
            } finally {
                LOCK$n.unlock();
            }
        }
    }
",
        "        Guarded$n guarded = new Guarded$n();
        for (int x = 0; x < 400; x++) {
            try {
                h = Sum.add(Sum.add(h, guarded.enter(x + i, $Tv)), Guarded$n.shared($Uv));
            } catch (IllegalStateException e) {
                h = Sum.add(h, e);
            }
            BOTH$n.readLock().lock();
            try {
                h = Sum.add(h, LOCK$n.isHeldByCurrentThread());
            } finally {
                BOTH$n.readLock().unlock();
            }
            long stamp = STAMPED$n.tryOptimisticRead();
            h = Sum.add(h, STAMPED$n.validate(stamp));
        }
        Thread first = new Thread(() -> alternate$n(0));
        Thread second = new Thread(() -> {
            alternate$n(1);
            try {
                guarded.pingPong(1, 20);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        first.start();
        second.start();
        guarded.pingPong(0, 20);
        first.join();
        second.join();
        h = Sum.add(Sum.add(h, guarded.sum), state$n);
        try {
            guarded.notify();
        } catch (IllegalMonitorStateException e) {
            h = Sum.add(h, e);
        }
        try {
            LOCK$n.unlock();
        } catch (IllegalMonitorStateException e) {
            h = Sum.add(h, e);
        }",
    )
}

/// Threads, virtual ones where the JDK has them, and pools.
pub fn virtual_threads(w: &mut Writer) -> Action {
    w.any("T");
    w.any("U");
    let sleeps =
        w.pick(&["Thread.sleep(1);", "Thread.yield();", "LockSupport.parkNanos(1000);", ""]);
    w.set("sleeps", sleeps);
    w.action(
        "virtual threads",
        Cost::Threads,
        "    static final ThreadLocal<Long> LOCAL$n = ThreadLocal.withInitial(() -> 5L);
    static final MethodHandle START$n;

    static {
        MethodHandle start;
        try {
            start = MethodHandles.lookup().findStatic(Thread.class, \"startVirtualThread\",
                MethodType.methodType(Thread.class, Runnable.class));
        } catch (ReflectiveOperationException e) {
            start = null;
        }
        START$n = start;
    }

    static Thread start$n(Runnable task) throws Throwable {
        if (START$n != null) {
            return (Thread) START$n.invokeExact(task);
        }
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }

    static $T value$n(int i) {
        return $Tv;
    }

    static long task$n(int i, Object lock) throws Exception {
        LOCAL$n.remove();
        long h = LOCAL$n.get();
        LOCAL$n.set(h + i);
        for (int round = 0; round < 20; round++) {
            h = Sum.add(h, value$n(i + round));
        }
        synchronized (lock) {
            h = Sum.add(h, (Object) SEED.class.getDeclaredMethod(\"value$n\", int.class).invoke(null, i));
        }
        $sleeps
        if (i % 7 == 3) {
            throw new TimeoutException(\"task \" + i);
        }
        $U[] own = {$Uv};
        return Sum.add(Sum.add(h, LOCAL$n.get()), (Object) own);
    }
",
        "        Object lock = new Object();
        long[] sums = new long[12];
        Thread[] threads = new Thread[sums.length];
        CountDownLatch latch = new CountDownLatch(sums.length);
        for (int at = 0; at < sums.length; at++) {
            int number = at;
            threads[at] = start$n(() -> {
                try {
                    sums[number] = task$n(i + number, lock);
                } catch (Exception e) {
                    sums[number] = Sum.add(3L, e.getMessage());
                } finally {
                    latch.countDown();
                }
            });
        }
        latch.await();
        for (Thread thread : threads) {
            thread.join();
        }
        h = Sum.add(h, (Object) sums);
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Long>> futures = new ArrayList<>();
        for (int at = 0; at < 6; at++) {
            int number = at;
            futures.add(pool.submit(() -> task$n(i + number, lock)));
        }
        for (Future<Long> future : futures) {
            try {
                h = Sum.add(h, future.get());
            } catch (ExecutionException e) {
                h = Sum.add(h, e.getCause().getMessage());
            }
        }
        pool.shutdown();
        h = Sum.add(h, pool.awaitTermination(1, TimeUnit.MINUTES));
        h = Sum.add(h, CompletableFuture.supplyAsync(() -> value$n(i)).thenApply(String::valueOf)
            .thenCombine(CompletableFuture.supplyAsync(() -> \"b\"), String::concat).join());",
    )
}
