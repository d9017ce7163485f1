/**
 * Small methods called all the time by several threads, so that a test can take dumps of their
 * stacks. It prints a line when all threads are running, and ends when its input does.
 */
public final class RunsHot {
    private static volatile boolean stopped;
    private static volatile int sink;

    private RunsHot() {
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            int start = i;
            threads[i] = new Thread(() -> outer(start), "hot-" + i);
            threads[i].start();
        }
        while (sink == 0) {
            Thread.onSpinWait();
        }
        System.out.println("running");
        while (System.in.read() >= 0) {
            // The one who started this program closes its input.
        }
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("stopped");
    }

    private static void outer(int start) {
        int value = start;
        while (!stopped) {
            value = middle(value) + 1;
        }
    }

    private static int middle(int value) {
        int result = 0;
        for (int i = 0; i < 10; i++) {
            result += inner(value, i) + new RunsHot().virtual(i);
        }
        sink = result | 1;
        return result;
    }

    private static int inner(int value, int step) {
        return step % 3 == 0 ? value : value ^ step;
    }

    private int virtual(int step) {
        return step + 1;
    }
}
