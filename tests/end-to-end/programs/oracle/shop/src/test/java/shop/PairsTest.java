package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every two of something: the same data in each iteration, with another element each time. */
class PairsTest {
    private static final int COUNT = 25;

    /** No record, since older Gradle compiles for releases without them. */
    static final class Point {
        private final double x;
        private final double y;

        Point(double x, double y) {
            this.x = x;
            this.y = y;
        }

        double to(Point other) {
            return Math.hypot(x - other.x, y - other.y);
        }
    }

    private static int[] numbers() {
        int[] numbers = new int[COUNT];
        Random random = new Random(3);
        for (int i = 0; i < COUNT; i++) {
            numbers[i] = random.nextInt(1000);
        }
        return numbers;
    }

    private static List<Integer> boxed() {
        return Arrays.stream(numbers()).boxed().collect(Collectors.toList());
    }

    private static List<Point> points() {
        List<Point> points = new ArrayList<>();
        for (int number : numbers()) {
            points.add(new Point(number, number * 7 % 1000));
        }
        return points;
    }

    private static List<String> words() {
        return boxed().stream().map(number -> "word" + number).collect(Collectors.toList());
    }

    private static long toAll(int[] numbers, int one) {
        long sum = 0;
        for (int other : numbers) {
            sum += Math.abs(one - other);
        }
        return sum;
    }

    @Test
    void ofAnArray() {
        int[] numbers = numbers();
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            for (int j = 0; j < COUNT; j++) {
                sum += Math.abs(numbers[i] - numbers[j]);
            }
        }
        assertTrue(sum > 0);
    }

    @Test
    void ofAnArrayOnce() {
        int[] numbers = numbers();
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < COUNT; i++) {
            for (int j = i + 1; j < COUNT; j++) {
                least = Math.min(least, Math.abs(numbers[i] - numbers[j]));
            }
        }
        assertTrue(least >= 0);
    }

    @Test
    void byAMethod() {
        int[] numbers = numbers();
        long sum = 0;
        for (int one : numbers) {
            sum += toAll(numbers, one);
        }
        assertTrue(sum > 0);
    }

    @Test
    void ofAList() {
        List<Integer> numbers = boxed();
        long sum = 0;
        for (int one : numbers) {
            for (int other : numbers) {
                sum += (long) one * other;
            }
        }
        assertTrue(sum > 0);
    }

    @Test
    void ofObjects() {
        List<Point> points = points();
        double[][] distances = new double[COUNT][COUNT];
        for (int i = 0; i < COUNT; i++) {
            for (int j = 0; j < COUNT; j++) {
                distances[i][j] = points.get(i).to(points.get(j));
            }
        }
        assertEquals(0, distances[3][3]);
    }

    @Test
    void ofObjectsThatAreMade() {
        List<Point> points = points();
        double sum = 0;
        for (int i = 0; i < COUNT; i++) {
            Point made = new Point(i, 2 * i);
            for (Point other : points) {
                sum += made.to(other);
            }
        }
        assertTrue(sum > 0);
    }

    @Test
    void ofWords() {
        List<String> words = words();
        Set<String> together = new HashSet<>();
        for (String one : words) {
            for (String other : words) {
                together.add(one + other);
            }
        }
        assertTrue(together.size() > COUNT);
    }

    @Test
    void byStreams() {
        List<String> words = words();
        long count = words.stream().flatMap(one -> words.stream().map(other -> one + other)).distinct().count();
        assertTrue(count > COUNT);
    }

    @Test
    void comparators() {
        List<Integer> numbers = boxed();
        for (Integer one : numbers) {
            for (Integer other : numbers) {
                assertEquals(Integer.signum(one.compareTo(other)), -Integer.signum(other.compareTo(one)));
            }
        }
    }

    @Test
    void bubbleSort() {
        int[] numbers = numbers();
        for (int end = COUNT; end > 1; end--) {
            for (int i = 1; i < end; i++) {
                if (numbers[i - 1] > numbers[i]) {
                    int smaller = numbers[i];
                    numbers[i] = numbers[i - 1];
                    numbers[i - 1] = smaller;
                }
            }
        }
        assertTrue(numbers[0] <= numbers[1]);
    }

    /** A polynomial at many places. */
    @Test
    void polynomial() {
        int[] factors = numbers();
        double sum = 0;
        for (int i = 0; i < COUNT; i++) {
            double x = i / 100.0;
            double value = 0;
            for (int factor : factors) {
                value = value * x + factor;
            }
            sum += value;
        }
        assertTrue(sum > 0);
    }
}
