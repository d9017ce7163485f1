import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** What programs do with locks, rightly and wrongly; each method makes its own. */
public class UsesLocks {
    private static int count;
    private static boolean ready;

    public static void main(String[] arguments) throws Exception {
        releases();
        keeps();
        releasesTooOften();
        nests();
        tries();
        isInterrupted();
        sharesAmongThreads();
        waits();
        writes();
        System.out.println(new Segment().put());
    }

    private static void releases() {
        Lock lock = new ReentrantLock();
        lock.lock();
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }

    private static void keeps() {
        Lock lock = new ReentrantLock();
        lock.lock();
        count++;
    }

    private static void releasesTooOften() {
        Lock lock = new ReentrantLock();
        lock.lock();
        lock.unlock();
        try {
            lock.unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not held");
        }
    }

    private static void nests() {
        ReentrantLock lock = new ReentrantLock();
        for (int i = 0; i < 3; i++) {
            lock.lock();
        }
        for (int i = 0; i < 3; i++) {
            lock.unlock();
        }
    }

    private static void tries() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        Thread other = new Thread(() -> System.out.println(lock.tryLock()));
        other.start();
        other.join();
        lock.unlock();
        if (lock.tryLock(1L, TimeUnit.SECONDS)) {
            lock.unlock();
        }
    }

    private static void isInterrupted() {
        ReentrantLock lock = new ReentrantLock();
        Thread.currentThread().interrupt();
        try {
            lock.lockInterruptibly();
            lock.unlock();
        } catch (InterruptedException e) {
            System.out.println("interrupted");
        }
    }

    private static void sharesAmongThreads() throws Exception {
        Lock lock = new ReentrantLock();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> increments(lock));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(count);
    }

    private static void increments(Lock lock) {
        for (int i = 0; i < 1000; i++) {
            lock.lock();
            try {
                count++;
            } finally {
                lock.unlock();
            }
        }
    }

    private static void waits() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        Thread other = new Thread(() -> {
            lock.lock();
            ready = true;
            condition.signalAll();
            lock.unlock();
        });
        lock.lock();
        other.start();
        while (!ready) {
            condition.await();
        }
        lock.unlock();
        other.join();
    }

    private static void writes() {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        lock.readLock().lock();
        lock.readLock().unlock();
        lock.writeLock().lock();
        lock.writeLock().unlock();
    }

    static class Segment extends ReentrantLock {
        int put() {
            lock();
            try {
                return 1;
            } finally {
                unlock();
            }
        }
    }
}
