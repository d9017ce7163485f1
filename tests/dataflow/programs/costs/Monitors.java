import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Accesses that may fail while a lock is held, and natives that are called. */
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

    /** It calls a native inside a synchronized block. */
    static int inflateNothing(Inflater inflater) throws DataFormatException {
        return inflater.inflate(new byte[1]);
    }

    public static void main(String[] args) throws DataFormatException {
        Monitors monitors = new Monitors();
        int last = 0;
        for (int i = 0; i < 40_000; i++) {
            last = monitors.add(i);
        }
        Inflater inflater = new Inflater();
        for (int i = 0; i < 20_000; i++) {
            last += inflateNothing(inflater);
        }
        inflater.end();
        System.out.println(last);
    }
}
