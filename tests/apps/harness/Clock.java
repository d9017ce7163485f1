package apps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Wall-clock and processor time of this process. */
final class Clock {
    private static final Path STAT = Path.of("/proc/self/stat");

    /** Linux counts processor time in ticks of this many microseconds for all programs. */
    private static final long TICK = 10_000;

    /** Position of user time after the process's name; system time follows. */
    private static final int USER_TIME = 12;

    private Clock() {}

    /** Microseconds of wall-clock time since some moment. */
    static long wallMicros() {
        return System.nanoTime() / 1000;
    }

    /**
     * Microseconds of processor time, user and system, used by all threads,
     * also those of the compilers and the collector.
     *
     * <p>Read from the kernel: the management beans would load some hundred
     * classes that no application here asks for.
     */
    static long processorMicros() throws IOException {
        return processorMicros(STAT);
    }

    /** The same of a process, or of a thread, that the kernel describes in this file. */
    static long processorMicros(Path file) throws IOException {
        String stat = Files.readString(file);
        // The name is in parentheses and may contain anything but the last one.
        String[] fields = stat.substring(stat.lastIndexOf(')')).split(" ");
        return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1])) * TICK;
    }

    /** Microseconds as milliseconds with three decimals. */
    static String millis(long micros) {
        // Joined by hand: String.format would load the locale's data.
        return micros / 1000 + "." + Long.toString(1000 + micros % 1000).substring(1);
    }
}
