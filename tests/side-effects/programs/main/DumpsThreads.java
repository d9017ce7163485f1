import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Takes stack traces of running threads in every way that Java offers, and prints which classes and
 * methods it ever saw in them, sorted.
 */
public final class DumpsThreads {
    private static volatile boolean stopped;
    private static volatile int sink;

    private DumpsThreads() {
    }

    public static void main(String[] args) throws Exception {
        int dumps = Integer.parseInt(args[0]);
        Thread thread = new Thread(() -> outer(), "hot");
        thread.start();
        while (sink == 0) {
            Thread.onSpinWait();
        }
        Set<String> seen = new TreeSet<>();
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        for (int i = 0; i < dumps; i++) {
            add(seen, thread.getStackTrace());
            for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
                if (entry.getKey() == thread) {
                    add(seen, entry.getValue());
                }
            }
            add(seen, bean.getThreadInfo(thread.getId(), 100).getStackTrace());
            for (ThreadInfo info : bean.dumpAllThreads(true, true)) {
                if (info.getThreadId() == thread.getId()) {
                    add(seen, info.getStackTrace());
                }
            }
        }
        stopped = true;
        thread.join();
        seen.forEach(System.out::println);
    }

    private static void add(Set<String> seen, StackTraceElement[] trace) {
        for (StackTraceElement element : trace) {
            seen.add(element.getClassName() + "." + element.getMethodName());
        }
    }

    private static void outer() {
        while (!stopped) {
            sink = middle(sink) | 1;
        }
    }

    private static int middle(int value) {
        int result = 0;
        for (int i = 0; i < 100; i++) {
            result += inner(value, i);
        }
        return result;
    }

    private static int inner(int value, int step) {
        int result = 0;
        for (int i = 0; i < 10; i++) {
            result += value * i ^ step;
        }
        return result;
    }
}
