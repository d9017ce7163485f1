import java.io.File;

/**
 * Spends three quarters of its time in one method and a quarter in another one, whatever the
 * machine. With an argument it does so until that file exists.
 */
public final class Spins {
    static long spun;

    public static void main(String[] args) {
        File end = args.length > 0 ? new File(args[0]) : null;
        System.out.println("ready");
        System.out.flush();
        for (int turn = 0; end != null ? !end.exists() : turn < 20; turn++) {
            turn();
        }
        System.out.println("done");
    }

    private static void turn() {
        threeQuarters();
        aQuarter();
    }

    private static void threeQuarters() {
        spin(75);
    }

    private static void aQuarter() {
        spin(25);
    }

    private static void spin(int millis) {
        long until = System.nanoTime() + millis * 1_000_000L;
        // Flight Recorder sees no stack in the clock itself.
        do {
            for (int i = 0; i < 20_000; i++) {
                spun = spun * 31 + i;
            }
        } while (System.nanoTime() < until);
    }
}
