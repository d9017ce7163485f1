/** Accesses that may fail while a lock is held. */
public class Monitors {
    private final Object lock = new Object();
    private final int[] counts = new int[16];
    private int total;

    int add(int number) {
        synchronized (lock) {
            counts[number & 15] += number;
            total += counts[number + 1 & 15];
            return total;
        }
    }

    public static void main(String[] args) {
        Monitors monitors = new Monitors();
        int last = 0;
        for (int i = 0; i < 40_000; i++) {
            last = monitors.add(i);
        }
        System.out.println(last);
    }
}
