import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;

/** Correct programs. */
public class Silent {
    private static final int SIZE = 60;

    private final Random random = new Random(7);

    public static void main(String[] cases) {
        run(cases, 0);
    }

    /** Not in a loop, which would be judged, too. */
    private static void run(String[] cases, int next) {
        if (next < cases.length) {
            System.out.println(result(cases[next]));
            run(cases, next + 1);
        }
    }

    private static long result(String name) {
        Silent silent = new Silent();
        return switch (name) {
            case "sort" -> silent.sort();
            case "heap" -> silent.heap();
            case "treeMap" -> silent.treeMap();
            case "binarySearch" -> silent.binarySearch();
            case "breadthFirst" -> silent.breadthFirst();
            case "sieve" -> silent.sieve();
            case "wordCount" -> silent.wordCount();
            case "substring" -> silent.substring();
            case "copiedStrings" -> silent.copiedStrings();
            case "hashJoin" -> silent.hashJoin();
            case "rowSum" -> silent.rowSum();
            case "bubbleSort" -> silent.bubbleSort();
            case "matrixProduct" -> silent.matrixProduct();
            case "powerIteration" -> silent.powerIteration();
            case "kMeans" -> silent.kMeans();
            case "editDistance" -> silent.editDistance();
            case "life" -> silent.life();
            case "distances" -> silent.distances();
            case "closest" -> silent.closest();
            case "words" -> silent.words();
            case "streams" -> silent.streams();
            case "rows" -> silent.rows();
            case "overlaps" -> silent.overlaps();
            case "overlapsByMethod" -> silent.overlapsByMethod();
            case "nothingOverlaps" -> silent.nothingOverlaps();
            case "overlapsOthers" -> silent.overlapsOthers();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private List<Integer> numbers(int count) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(random.nextInt(100_000));
        }
        return numbers;
    }

    private long sort() {
        List<Integer> numbers = numbers(20 * SIZE);
        Collections.sort(numbers);
        return numbers.get(0);
    }

    private long heap() {
        PriorityQueue<Integer> queue = new PriorityQueue<>(numbers(5 * SIZE));
        long sum = 0;
        int place = 0;
        while (!queue.isEmpty()) {
            sum += (long) queue.poll() * place++;
        }
        return sum;
    }

    private long treeMap() {
        TreeMap<Integer, Integer> map = new TreeMap<>();
        for (int number : numbers(5 * SIZE)) {
            map.put(number, map.size());
        }
        long sum = 0;
        for (Map.Entry<Integer, Integer> entry : map.entrySet()) {
            sum = 31 * sum + entry.getValue();
        }
        return sum;
    }

    private long binarySearch() {
        int[] sorted = new int[20 * SIZE];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = 3 * i;
        }
        long found = 0;
        for (int number : numbers(SIZE)) {
            found += Arrays.binarySearch(sorted, number % (3 * sorted.length)) >= 0 ? 1 : 0;
        }
        return found;
    }

    private long breadthFirst() {
        List<List<Integer>> next = new ArrayList<>();
        for (int i = 0; i < 5 * SIZE; i++) {
            next.add(List.of(random.nextInt(5 * SIZE), random.nextInt(5 * SIZE), (i + 1) % (5 * SIZE)));
        }
        int[] distance = new int[next.size()];
        Arrays.fill(distance, -1);
        distance[0] = 0;
        ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(0));
        long sum = 0;
        while (!queue.isEmpty()) {
            int node = queue.poll();
            for (int other : next.get(node)) {
                if (distance[other] < 0) {
                    distance[other] = distance[node] + 1;
                    sum += distance[other];
                    queue.add(other);
                }
            }
        }
        return sum;
    }

    private long sieve() {
        boolean[] composite = new boolean[50 * SIZE];
        long primes = 0;
        for (int i = 2; i < composite.length; i++) {
            if (!composite[i]) {
                primes++;
                for (int k = 2 * i; k < composite.length; k += i) {
                    composite[k] = true;
                }
            }
        }
        return primes;
    }

    private long wordCount() {
        StringBuilder text = new StringBuilder();
        for (int number : numbers(5 * SIZE)) {
            text.append("word").append(number % 40).append(' ');
        }
        Map<String, Integer> counts = new HashMap<>();
        for (String word : text.toString().split(" ")) {
            counts.merge(word, 1, Integer::sum);
        }
        return counts.hashCode();
    }

    /** Strings are values: to copy one is one step, also where other methods do it. */
    private long copiedStrings() {
        String text = "the beginning that all of them have in common";
        long length = 0;
        for (int i = 0; i < SIZE; i++) {
            length += text.substring(0, 30 + i % 9).length() + new StringBuilder(text).substring(1, 30).length();
        }
        return length;
    }

    private long substring() {
        char[] text = new char[20 * SIZE];
        for (int i = 0; i < text.length; i++) {
            text[i] = (char) ('a' + random.nextInt(3));
        }
        char[] pattern = "abcabcab".toCharArray();
        long found = 0;
        for (int i = 0; i + pattern.length <= text.length; i++) {
            int matched = 0;
            while (matched < pattern.length && text[i + matched] == pattern[matched]) {
                matched++;
            }
            found += matched;
        }
        return found;
    }

    private long hashJoin() {
        Map<Integer, List<Integer>> index = new HashMap<>();
        for (int number : numbers(5 * SIZE)) {
            index.computeIfAbsent(number % SIZE, key -> new ArrayList<>()).add(number);
        }
        long sum = 0;
        for (int number : numbers(SIZE)) {
            for (int other : index.getOrDefault(number % SIZE, List.of())) {
                sum += other;
            }
        }
        return sum;
    }

    private double[][] matrix() {
        double[][] matrix = new double[SIZE / 2][SIZE / 2];
        for (double[] row : matrix) {
            for (int i = 0; i < row.length; i++) {
                row[i] = random.nextDouble();
            }
        }
        return matrix;
    }

    private long rowSum() {
        double sum = 0;
        for (double[] row : matrix()) {
            for (double value : row) {
                sum += value;
            }
        }
        return (long) (sum * 1000);
    }

    private long bubbleSort() {
        int[] numbers = numbers(SIZE).stream().mapToInt(Integer::intValue).toArray();
        for (int end = numbers.length; end > 1; end--) {
            for (int i = 1; i < end; i++) {
                if (numbers[i - 1] > numbers[i]) {
                    int smaller = numbers[i];
                    numbers[i] = numbers[i - 1];
                    numbers[i - 1] = smaller;
                }
            }
        }
        return numbers[0];
    }

    private long matrixProduct() {
        double[][] left = matrix();
        double[][] right = matrix();
        double[][] product = new double[left.length][right.length];
        for (int i = 0; i < left.length; i++) {
            for (int j = 0; j < right.length; j++) {
                double sum = 0;
                for (int k = 0; k < right.length; k++) {
                    sum += left[i][k] * right[k][j];
                }
                product[i][j] = sum;
            }
        }
        return (long) (product[3][5] * 1000);
    }

    private long powerIteration() {
        double[][] matrix = matrix();
        double[] vector = new double[matrix.length];
        Arrays.fill(vector, 1);
        for (int round = 0; round < 20; round++) {
            double[] next = new double[vector.length];
            double norm = 0;
            for (int i = 0; i < next.length; i++) {
                for (int j = 0; j < vector.length; j++) {
                    next[i] += matrix[i][j] * vector[j];
                }
                norm += next[i] * next[i];
            }
            norm = Math.sqrt(norm);
            for (int i = 0; i < next.length; i++) {
                next[i] /= norm;
            }
            vector = next;
        }
        return (long) (vector[0] * 1_000_000);
    }

    private long kMeans() {
        double[] points = new double[5 * SIZE];
        for (int i = 0; i < points.length; i++) {
            points[i] = random.nextDouble() * 100;
        }
        double[] centres = new double[12];
        for (int i = 0; i < centres.length; i++) {
            centres[i] = points[7 * i];
        }
        for (int round = 0; round < 15; round++) {
            double[] sums = new double[centres.length];
            int[] counts = new int[centres.length];
            for (double point : points) {
                int nearest = 0;
                for (int i = 1; i < centres.length; i++) {
                    if (Math.abs(point - centres[i]) < Math.abs(point - centres[nearest])) {
                        nearest = i;
                    }
                }
                sums[nearest] += point;
                counts[nearest]++;
            }
            for (int i = 0; i < centres.length; i++) {
                if (counts[i] > 0) {
                    centres[i] = sums[i] / counts[i];
                }
            }
        }
        return (long) (centres[0] * 1000);
    }

    private long editDistance() {
        byte[] one = new byte[SIZE];
        byte[] other = new byte[SIZE];
        random.nextBytes(one);
        random.nextBytes(other);
        int[] before = new int[SIZE + 1];
        for (int i = 0; i <= SIZE; i++) {
            before[i] = i;
        }
        for (int i = 1; i <= SIZE; i++) {
            int[] row = new int[SIZE + 1];
            row[0] = i;
            for (int j = 1; j <= SIZE; j++) {
                int replaced = before[j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(before[j], row[j - 1]) + 1);
            }
            before = row;
        }
        return before[SIZE];
    }

    /** Of an array of numbers. */
    private long distances() {
        int[] numbers = numbers(SIZE).stream().mapToInt(Integer::intValue).toArray();
        long sum = 0;
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                sum += Math.abs(numbers[i] - numbers[j]);
            }
        }
        return sum;
    }

    private record Place(int x, int y) {
        int to(Place other) {
            return Math.abs(x - other.x) + Math.abs(y - other.y);
        }
    }

    /** Each two of some objects once. */
    private long closest() {
        List<Place> places = new ArrayList<>();
        for (int number : numbers(SIZE)) {
            places.add(new Place(number, random.nextInt(1000)));
        }
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < SIZE; i++) {
            for (int j = i + 1; j < SIZE; j++) {
                least = Math.min(least, places.get(i).to(places.get(j)));
            }
        }
        return least;
    }

    /** What strings have in them is not read. */
    private long words() {
        List<String> words = new ArrayList<>();
        for (int number : numbers(SIZE)) {
            words.add("word" + number);
        }
        long sum = 0;
        for (String one : words) {
            for (String other : words) {
                sum += one.compareTo(other) < 0 ? one.length() : other.length();
            }
        }
        return sum;
    }

    /** A lambda captures the element. */
    private long streams() {
        List<Integer> numbers = numbers(SIZE);
        long sum = 0;
        for (int one : numbers) {
            sum += numbers.stream().mapToInt(other -> Math.abs(one - other)).sum();
        }
        return sum;
    }

    private record Period(int from, int to) {
        boolean overlaps(Period other) {
            return from < other.to && other.from < to;
        }
    }

    private List<Period> periods() {
        List<Period> periods = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            periods.add(new Period(10 * i, 10 * i + 9));
        }
        return periods;
    }

    /** Each but itself: no set finds what overlaps. */
    private long overlaps() {
        List<Period> periods = periods();
        long found = 0;
        for (Period one : periods) {
            found += periods.stream().anyMatch(other -> other != one && other.overlaps(one)) ? 1 : 0;
        }
        return found;
    }

    private static boolean isFree(Period one, Period other) {
        return one == other || !one.overlaps(other);
    }

    private long overlapsByMethod() {
        List<Period> periods = periods();
        long found = 0;
        for (Period one : periods) {
            found += periods.stream().filter(other -> !isFree(one, other)).findFirst().isPresent() ? 1 : 0;
        }
        return found;
    }

    private long nothingOverlaps() {
        List<Period> periods = periods();
        long found = 0;
        for (Period one : periods) {
            found += periods.stream().allMatch(other -> isFree(one, other)) ? 1 : 0;
        }
        return found;
    }

    private long overlapsOthers() {
        List<Period> periods = periods();
        long found = 0;
        for (Period one : periods) {
            found += periods.stream().filter(other -> one != other).noneMatch(one::overlaps) ? 1 : 0;
        }
        return found;
    }

    /** A method is given the element. */
    private long rows() {
        List<Integer> numbers = numbers(SIZE);
        long sum = 0;
        for (int one : numbers) {
            sum += row(numbers, one);
        }
        return sum;
    }

    private static long row(List<Integer> numbers, int one) {
        long sum = 0;
        for (int other : numbers) {
            sum += (long) one * other;
        }
        return sum;
    }

    private long life() {
        boolean[][] cells = new boolean[SIZE / 2][SIZE / 2];
        for (boolean[] row : cells) {
            for (int i = 0; i < row.length; i++) {
                row[i] = random.nextInt(3) == 0;
            }
        }
        for (int round = 0; round < 15; round++) {
            boolean[][] next = new boolean[cells.length][cells.length];
            for (int i = 1; i < cells.length - 1; i++) {
                for (int j = 1; j < cells.length - 1; j++) {
                    int living = 0;
                    for (int k = -1; k <= 1; k++) {
                        for (int l = -1; l <= 1; l++) {
                            living += cells[i + k][j + l] ? 1 : 0;
                        }
                    }
                    next[i][j] = living == 3 || living == 4 && cells[i][j];
                }
            }
            cells = next;
        }
        long alive = 0;
        for (boolean[] row : cells) {
            for (boolean cell : row) {
                alive += cell ? 1 : 0;
            }
        }
        return alive;
    }
}
