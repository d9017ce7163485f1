import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Many threads that each do the same, in ways that matter to an agent that keeps data for every
 * thread: short ones one after the other, all waiting at once, leaving their carrier often or
 * holding on to it, dying in the middle of their work.
 */
public final class EndsThreads {
    private static final int AT_ONCE = 16;

    private static int number;
    private static CountDownLatch all;

    public static void main(String[] args) throws Exception {
        boolean isVirtual = args[0].equals("virtual");
        boolean isNamed = args[0].equals("named");
        number = Integer.parseInt(args[2]);
        all = new CountDownLatch(number);
        Runnable body = switch (args[1]) {
            case "short" -> EndsThreads::task;
            case "together" -> EndsThreads::waitsForAll;
            case "yielding" -> EndsThreads::yields;
            case "pinned" -> EndsThreads::holdsMonitor;
            case "dying" -> EndsThreads::dies;
            default -> throw new IllegalArgumentException(args[1]);
        };
        Thread.setDefaultUncaughtExceptionHandler((thread, exception) -> { });
        int atOnce = args[1].equals("together") ? number : AT_ONCE;
        ArrayDeque<Thread> running = new ArrayDeque<>();
        for (int i = 0; i < number; i++) {
            if (running.size() == atOnce) {
                running.remove().join();
            }
            Thread thread = isVirtual ? startVirtual(body) : startPlatform(body, isNamed ? letters(i) : null);
            running.add(thread);
        }
        for (Thread thread : running) {
            thread.join();
        }
    }

    private static Thread startPlatform(Runnable body, String name) {
        Thread thread = name == null ? new Thread(body) : new Thread(body, name);
        thread.start();
        return thread;
    }

    /** Names that differ by more than their digits. */
    private static String letters(int i) {
        StringBuilder name = new StringBuilder("of-its-own-");
        for (char digit : Integer.toString(i).toCharArray()) {
            name.append((char) (digit - '0' + 'a'));
        }
        return name.toString();
    }

    /** By reflection, because the tests are compiled for Java 17. */
    private static Thread startVirtual(Runnable body) throws Exception {
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        return (Thread) start.invoke(null, body);
    }

    private static void task() {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += step(i);
        }
        if (sum != 15) {
            throw new AssertionError(sum);
        }
    }

    private static int step(int i) {
        return i & 3;
    }

    private static void waitsForAll() {
        task();
        all.countDown();
        try {
            all.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        task();
    }

    private static void yields() {
        for (int i = 0; i < 4; i++) {
            Thread.yield();
            task();
            LockSupport.parkNanos(1);
        }
    }

    private static void holdsMonitor() {
        Object monitor = new Object();
        synchronized (monitor) {
            LockSupport.parkNanos(1000);
            task();
        }
    }

    private static void dies() {
        for (int i = 0; ; i++) {
            task();
            if (i == 2) {
                throw new IllegalStateException();
            }
        }
    }
}
