/** Overflows the stack again and again, in plain recursion and with work to undo on each level. */
public final class OverflowsStack {
    static int depth;
    static int entered;
    static int left;

    public static void main(String[] args) throws Exception {
        for (int round = 0; round < 20; round++) {
            depth = 0;
            try {
                descend();
                System.out.println("no overflow");
            } catch (StackOverflowError e) {
                System.out.println("overflow " + round + " deep " + (depth > 500));
            }
            entered = left = 0;
            try {
                guarded(new Object());
            } catch (StackOverflowError e) {
                System.out.println("balanced " + (entered - left <= 1));
            }
        }
        Thread small = new Thread(null, () -> {
            try {
                descend();
            } catch (StackOverflowError e) {
                System.out.println("overflow in " + Thread.currentThread().getName());
            }
        }, "small", 256 << 10);
        small.start();
        small.join();
    }

    private static void descend() {
        depth++;
        descend();
    }

    private static void guarded(Object lock) {
        synchronized (lock) {
            entered++;
            try {
                guarded(lock);
            } finally {
                left++;
            }
        }
    }
}
