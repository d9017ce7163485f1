/** Synchronised methods and blocks, left in every way, and waiting on monitors. */
public class Monitors {
    private int value;
    private static int total;

    synchronized int add(int n) {
        value += n;
        if (value > 20) {
            throw new IllegalStateException("full");
        }
        return value;
    }

    static synchronized void count(int n) {
        total += n;
    }

    int block(Object lock, int n) {
        synchronized (lock) {
            if (n == 1) {
                return 1;
            }
            synchronized (this) {
                if (n == 2) {
                    throw new IllegalArgumentException();
                }
                value--;
            }
            for (int i = 0; i < n; i++) {
                synchronized (lock) {
                    if (i == 3) {
                        continue;
                    }
                    if (i == 5) {
                        break;
                    }
                    count(i);
                }
            }
        }
        return value;
    }

    synchronized int recursive(int n) {
        return n == 0 ? value : recursive(n - 1) + 1;
    }

    public static void main(String[] args) throws InterruptedException {
        Monitors monitors = new Monitors();
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            try {
                sum += monitors.add(i);
                sum += monitors.block(new Object(), i);
            } catch (IllegalArgumentException | IllegalStateException e) {
                sum += 1000;
            }
        }
        System.out.println(sum + " " + total + " " + monitors.recursive(10));
        Object lock = new Object();
        synchronized (lock) {
            lock.wait(1);
            lock.notifyAll();
        }
        try {
            lock.notify();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not mine");
        }
        System.out.println(Thread.holdsLock(lock));
    }
}
