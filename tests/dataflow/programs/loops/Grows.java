import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Does one thing with input of different sizes: those that are given, or the usual ones.
 */
public class Grows {
    private static final int[] SIZES = {40, 80, 160, 320, 480, 640};

    public static void main(String[] arguments) {
        int[] sizes = SIZES;
        if (arguments.length > 1) {
            sizes = new int[arguments.length - 1];
            for (int i = 0; i < sizes.length; i++) {
                sizes[i] = Integer.parseInt(arguments[i + 1]);
            }
        }
        long result = 0;
        for (int size : sizes) {
            result += run(arguments[0], size);
        }
        System.out.println(result);
    }

    private static long run(String what, int size) {
        return switch (what) {
            case "nestedSearch" -> nestedSearch(numbers(0, size), numbers(size, size));
            case "bubbleSort" -> bubbleSort(descending(size));
            case "removeFirst" -> removeFirst(list(size));
            case "insertFirst" -> insertFirst(list(size));
            case "linkedList" -> linkedList(new LinkedList<>(list(size)));
            case "removeAll" -> removeAll(new HashSet<>(list(size)), others(size));
            case "insertionSort" -> insertionSort(descending(size), size);
            case "sum" -> sum(numbers(0, size));
            case "sumOfList" -> sumOfList(list(size));
            case "sortInts" -> sortInts(shuffled(size));
            case "sortObjects" -> sortObjects(list(size));
            case "hashLookUps" -> hashLookUps(list(size), map(new HashMap<>(), size));
            case "treeLookUps" -> hashLookUps(list(size), map(new TreeMap<>(), size));
            case "binarySearches" -> binarySearches(shuffled(size), numbers(0, size));
            case "sumOfTree" -> sumOfTree(tree(0, size));
            case "quickSort" -> quickSort(shuffled(size), 0, size);
            case "matrixProduct" -> matrixProduct(matrix(size), matrix(size));
            default -> throw new IllegalArgumentException(what);
        };
    }

    // Quadratic.

    static int nestedSearch(int[] some, int[] others) {
        int found = 0;
        for (int one : some) {
            if (contains(others, one)) {
                found++;
            }
        }
        return found;
    }

    static boolean contains(int[] all, int sought) {
        for (int one : all) {
            if (one == sought) {
                return true;
            }
        }
        return false;
    }

    static int bubbleSort(int[] numbers) {
        for (int end = numbers.length - 1; end > 0; end--) {
            for (int i = 0; i < end; i++) {
                if (numbers[i] > numbers[i + 1]) {
                    int first = numbers[i];
                    numbers[i] = numbers[i + 1];
                    numbers[i + 1] = first;
                }
            }
        }
        return numbers[0];
    }

    static int removeFirst(List<Integer> list) {
        int sum = 0;
        while (!list.isEmpty()) {
            sum += list.remove(0);
        }
        return sum;
    }

    static int insertFirst(List<Integer> list) {
        List<Integer> reversed = new ArrayList<>();
        for (Integer one : list) {
            reversed.add(0, one);
        }
        return reversed.size();
    }

    static int linkedList(List<Integer> list) {
        int sum = 0;
        for (int i = 0; i < list.size(); i++) {
            sum += list.get(i);
        }
        return sum;
    }

    static int removeAll(Set<Integer> set, List<Integer> list) {
        set.removeAll(list);
        return set.size();
    }

    static int insertionSort(int[] numbers, int size) {
        if (size > 1) {
            insertionSort(numbers, size - 1);
            int last = numbers[size - 1];
            int at = size - 1;
            while (at > 0 && numbers[at - 1] > last) {
                numbers[at] = numbers[at - 1];
                at--;
            }
            numbers[at] = last;
        }
        return size;
    }

    // Linear, or nearly so.

    static int sum(int[] numbers) {
        int sum = 0;
        for (int one : numbers) {
            sum += one;
        }
        return sum;
    }

    static int sumOfList(List<Integer> list) {
        int sum = 0;
        for (int one : list) {
            sum += one;
        }
        return sum;
    }

    static int sortInts(int[] numbers) {
        Arrays.sort(numbers);
        return numbers[0];
    }

    static int sortObjects(List<Integer> list) {
        Collections.sort(list);
        return list.get(0);
    }

    static int hashLookUps(List<Integer> list, Map<Integer, Integer> map) {
        int sum = 0;
        for (Integer one : list) {
            sum += map.get(one);
        }
        return sum;
    }

    static int binarySearches(int[] sought, int[] sorted) {
        int sum = 0;
        for (int one : sought) {
            sum += Arrays.binarySearch(sorted, one);
        }
        return sum;
    }

    static int matrixProduct(int[][] a, int[][] b) {
        int sum = 0;
        for (int i = 0; i < a.length; i++) {
            for (int k = 0; k < a.length; k++) {
                for (int j = 0; j < a.length; j++) {
                    sum += a[i][j] * b[j][k];
                }
            }
        }
        return sum;
    }

    /** A node of a tree. */
    private record Tree(Tree left, int number, Tree right) {
    }

    static int sumOfTree(Tree tree) {
        if (tree == null) {
            return 0;
        }
        return sumOfTree(tree.left) + tree.number + sumOfTree(tree.right);
    }

    static int quickSort(int[] numbers, int from, int to) {
        if (to - from < 2) {
            return 0;
        }
        int pivot = numbers[from];
        int middle = from;
        for (int i = from + 1; i < to; i++) {
            if (numbers[i] < pivot) {
                int smaller = numbers[i];
                numbers[i] = numbers[++middle];
                numbers[middle] = smaller;
            }
        }
        numbers[from] = numbers[middle];
        numbers[middle] = pivot;
        return 1 + quickSort(numbers, from, middle) + quickSort(numbers, middle + 1, to);
    }

    // Input.

    private static Tree tree(int from, int to) {
        int middle = (from + to) / 2;
        return from == to ? null : new Tree(tree(from, middle), middle, tree(middle + 1, to));
    }

    private static int[] numbers(int from, int size) {
        int[] numbers = new int[size];
        for (int i = 0; i < size; i++) {
            numbers[i] = from + i;
        }
        return numbers;
    }

    private static int[] descending(int size) {
        int[] numbers = new int[size];
        for (int i = 0; i < size; i++) {
            numbers[i] = size - i;
        }
        return numbers;
    }

    private static int[] shuffled(int size) {
        int[] numbers = numbers(0, size);
        Random random = new Random(1);
        for (int i = size; i > 1; i--) {
            int other = random.nextInt(i);
            int moved = numbers[other];
            numbers[other] = numbers[i - 1];
            numbers[i - 1] = moved;
        }
        return numbers;
    }

    private static List<Integer> list(int size) {
        List<Integer> list = new ArrayList<>();
        for (int one : shuffled(size)) {
            list.add(1000 + one);
        }
        return list;
    }

    /** As many as there are, so that the set asks the list for each of its elements. */
    private static List<Integer> others(int size) {
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            list.add(10_000 + i);
        }
        return list;
    }

    private static Map<Integer, Integer> map(Map<Integer, Integer> map, int size) {
        for (Integer one : list(size)) {
            map.put(one, one);
        }
        return map;
    }

    private static int[][] matrix(int size) {
        int side = size / 10;
        int[][] matrix = new int[side][];
        for (int i = 0; i < side; i++) {
            matrix[i] = numbers(i, side);
        }
        return matrix;
    }
}
