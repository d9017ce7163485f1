import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * Runs the main method of a class again and again in one thread, and prints the median of the
 * thread's processor time in nanoseconds: class, rounds to warm up, rounds to measure, arguments.
 */
public final class Warm {
    public static void main(String[] args) throws Exception {
        Method main = Class.forName(args[0]).getMethod("main", String[].class);
        int before = Integer.parseInt(args[1]);
        long[] took = new long[Integer.parseInt(args[2])];
        String[] rest = Arrays.copyOfRange(args, 3, args.length);
        PrintStream out = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        for (int round = -before; round < took.length; round++) {
            long since = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            main.invoke(null, (Object) rest);
            if (round >= 0) {
                took[round] = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - since;
            }
        }
        Arrays.sort(took);
        out.println(took[took.length / 2]);
    }
}
