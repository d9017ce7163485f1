import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Makes known numbers of objects; the JVM says how many bytes they take. */
public final class Counted {
    static final class Small {
        int value;
    }

    static final class Large {
        long a, b, c, d, e;
        Object f;
    }

    static final class Twin implements Cloneable {
        long a, b;

        Twin twin() throws CloneNotSupportedException {
            return (Twin) clone();
        }
    }

    static Object sink;

    private Counted() {
    }

    interface Work {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        Twin twin = new Twin();
        count("Counted$Small", 10_000, () -> {
            for (int i = 0; i < 10_000; i++) {
                sink = new Small();
            }
        });
        count("Counted$Large", 20_000, () -> {
            for (int i = 0; i < 20_000; i++) {
                sink = new Large();
            }
        });
        count("byte[]", 3_000, () -> {
            for (int i = 0; i < 3_000; i++) {
                sink = new byte[i % 100];
            }
        });
        count("double[]", 3_000, () -> {
            for (int i = 0; i < 3_000; i++) {
                sink = new double[i % 100];
            }
        });
        count("char[][]", 500 * 8, () -> {
            for (int i = 0; i < 500; i++) {
                sink = new char[7][i % 10];
            }
        });
        count("java.lang.String[]", 2_000, () -> {
            for (int i = 0; i < 2_000; i++) {
                sink = new String[i % 10];
            }
        });
        count("Counted$Twin", 1_000, () -> {
            for (int i = 0; i < 1_000; i++) {
                sink = twin.twin();
            }
        });
    }

    private static void count(String type, int objects, Work work) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Thread thread = Thread.currentThread();
        // Once, so that everything is loaded.
        work.run();
        long before = threads.getThreadAllocatedBytes(thread.getId());
        work.run();
        long bytes = threads.getThreadAllocatedBytes(thread.getId()) - before;
        System.out.println(type + "\t" + 2 * objects + "\t" + 2 * bytes);
    }
}
