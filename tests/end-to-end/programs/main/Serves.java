import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.TreeSet;

/**
 * Works in small steps on several threads until the file exists that it is given, and then prints
 * the names of all threads that it has ever seen. With a second argument it does not look.
 */
public final class Serves {
    static volatile long steps;

    public static void main(String[] args) throws InterruptedException {
        File end = new File(args[0]);
        TreeSet<String> names = new TreeSet<>();
        for (int i = 0; i < 3; i++) {
            Thread worker = new Thread(Serves::work, "worker");
            worker.setDaemon(true);
            worker.start();
        }
        System.out.println("ready");
        System.out.flush();
        while (!end.exists()) {
            if (args.length > 1) {
                Thread.sleep(1);
                continue;
            }
            for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(false, false)) {
                names.add(thread.getThreadName());
            }
            Thread.sleep(1);
        }
        System.out.println("threads " + names);
    }

    private static void work() {
        while (true) {
            step(3);
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static void step(int depth) {
        if (depth > 0) {
            step(depth - 1);
        } else {
            count();
        }
    }

    private static synchronized void count() {
        steps++;
    }
}
