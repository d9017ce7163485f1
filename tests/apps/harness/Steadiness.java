package apps;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Says when iterations have become steady: when a JVM has warmed up.
 *
 * <p>The rule compares two neighbouring windows of {@value #WINDOW} iterations
 * each. Iterations are steady from the start of the later window on if the
 * mean of its middle half differs from that of the window before by at most
 * 3 % in processor time and by at most 5 % in time by the clock on the wall.
 *
 * <p>Two windows are compared, and not the spread within one: a program that
 * gets faster by 1 % with every iteration has eight iterations that are alike,
 * but the eight before them were slower by 8 %. The middle half leaves out
 * single iterations in which a full collection or another process ran.
 * Processor time is the sharper measure, since other processes change it less.
 */
final class Steadiness {
    /** Iterations in a window. */
    static final int WINDOW = 8;

    private static final double PROCESSOR_TOLERANCE = 0.03;
    private static final double WALL_TOLERANCE = 0.05;

    private final List<Long> wall = new ArrayList<>();
    private final List<Long> processor = new ArrayList<>();

    /** Takes the times of the next iteration, in any unit. */
    void add(long wallTime, long processorTime) {
        wall.add(wallTime);
        processor.add(processorTime);
    }

    /** How many there were. */
    int iterations() {
        return wall.size();
    }

    /** Whether the last window is steady. */
    boolean isReached() {
        return agree(processor, PROCESSOR_TOLERANCE) && agree(wall, WALL_TOLERANCE);
    }

    /** Number, from 1, of the first iteration of the last window. */
    int firstOfWindow() {
        return Math.max(1, iterations() - WINDOW + 1);
    }

    private static boolean agree(List<Long> times, double tolerance) {
        int end = times.size();
        if (end < 2 * WINDOW) {
            return false;
        }
        double earlier = middleHalf(times.subList(end - 2 * WINDOW, end - WINDOW));
        double later = middleHalf(times.subList(end - WINDOW, end));
        return Math.abs(later - earlier) <= tolerance * earlier;
    }

    /** The interquartile mean. */
    private static double middleHalf(List<Long> times) {
        List<Long> sorted = new ArrayList<>(times);
        Collections.sort(sorted);
        int left = sorted.size() / 4;
        long sum = 0;
        for (long time : sorted.subList(left, sorted.size() - left)) {
            sum += time;
        }
        return (double) sum / (sorted.size() - 2 * left);
    }
}
