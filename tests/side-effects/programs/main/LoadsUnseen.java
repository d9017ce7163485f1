import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads on a scheduler of the program, which loads a class while the JVM changes
 * from a virtual thread to its carrier: JDK 21 does not show it to agents. Needs
 * --add-opens java.base/java.lang=ALL-UNNAMED; without virtual threads it says so.
 */
public class LoadsUnseen {
    /** Loaded when one virtual thread wakes another. */
    static final class Late {
        int value;

        int next() {
            return value += 2;
        }
    }

    static final class Scheduler implements Executor {
        final ExecutorService carriers = Executors.newFixedThreadPool(2);
        volatile boolean wakes;
        volatile Object late;

        @Override
        public void execute(Runnable task) {
            if (wakes) {
                wakes = false;
                Late made = new Late();
                for (int i = 0; i < 10; i++) {
                    made.next();
                }
                late = made;
            }
            carriers.execute(task);
        }
    }

    static volatile boolean isAwake;

    public static void main(String[] arguments) throws Exception {
        Method make;
        try {
            make = Class.forName("java.lang.ThreadBuilders").getDeclaredMethod(
                "newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
        } catch (ClassNotFoundException e) {
            System.out.println("no virtual threads");
            return;
        }
        make.setAccessible(true);
        Scheduler scheduler = new Scheduler();
        Thread sleeper = (Thread) make.invoke(null, scheduler, "sleeper", 0, (Runnable) () -> {
            while (!isAwake) {
                LockSupport.park();
            }
        });
        sleeper.start();
        while (sleeper.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        Thread waker = (Thread) make.invoke(null, scheduler, "waker", 0, (Runnable) () -> {
            isAwake = true;
            scheduler.wakes = true;
            LockSupport.unpark(sleeper);
        });
        waker.start();
        waker.join();
        sleeper.join();
        scheduler.carriers.shutdown();
        System.out.println(scheduler.carriers.awaitTermination(10, TimeUnit.SECONDS));
        System.out.println(((Late) scheduler.late).value);
    }
}
