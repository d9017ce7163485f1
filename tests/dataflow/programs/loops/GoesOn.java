import java.util.ArrayList;
import java.util.List;

/**
 * Loops of which some or all iterations change nothing that anybody reads later. Each is run twenty times over
 * 99 elements.
 */
public class GoesOn {
    private static final int TIMES = 20;
    private static final int SIZE = 99;
    private static int calls;

    public static void main(String[] arguments) {
        int[] numbers = new int[SIZE];
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            numbers[i] = i;
            list.add(i);
        }
        long result = 0;
        for (int i = 0; i < TIMES; i++) {
            result += sum(numbers);
            result += finds(numbers, 9) ? 1 : 0;
            result += findsInList(list, 9) ? 1 : 0;
            result += contains(numbers, -1) ? 1 : 0;
            result += startsWith(numbers, 0, 1, 2) ? 1 : 0;
            ignores(numbers);
            makes(numbers);
            boxes(numbers);
            yields(numbers);
            calls(numbers);
            doubles(numbers);
            result += largestRow(numbers);
        }
        System.out.println(result + calls);
    }

    /** Every element counts. */
    private static int sum(int[] numbers) {
        int sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    /** The tenth element is it. */
    private static boolean finds(int[] numbers, int wanted) {
        boolean found = false;
        for (int number : numbers) {
            if (number == wanted) {
                found = true;
            }
        }
        return found;
    }

    private static boolean findsInList(List<Integer> numbers, int wanted) {
        boolean found = false;
        for (Integer number : numbers) {
            if (number == wanted) {
                found = true;
            }
        }
        return found;
    }

    private static boolean contains(int[] numbers, int wanted) {
        for (int number : numbers) {
            if (number == wanted) {
                return true;
            }
        }
        return false;
    }

    /** Short instances are not looked at. */
    private static boolean startsWith(int[] numbers, int... start) {
        for (int i = 0; i < start.length; i++) {
            if (numbers[i] != start[i]) {
                return false;
            }
        }
        return true;
    }

    /** Nobody reads what it computes. */
    private static void ignores(int[] numbers) {
        int largest = 0;
        for (int number : numbers) {
            largest = Math.max(largest, number);
        }
    }

    /** Constructors fill objects that nobody keeps. */
    private static void makes(int[] numbers) {
        for (int number : numbers) {
            new Pair(number, number);
        }
    }

    private static void boxes(int[] numbers) {
        for (int number : numbers) {
            Integer boxed = number + 1_000;
        }
    }

    /** A native method may do anything. */
    private static void yields(int[] numbers) {
        for (int number : numbers) {
            if (number < 50) {
                Thread.yield();
            }
        }
    }

    private static void calls(int[] numbers) {
        for (int number : numbers) {
            calls++;
        }
    }

    private static void doubles(int[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            if (i == 0) {
                numbers[i] *= 2;
            }
        }
    }

    /** What the inner loop adds up matters to the outer one in the first iteration only. */
    private static int largestRow(int[] numbers) {
        int largest = -1;
        for (int row = 0; row < 12; row++) {
            int sum = 0;
            for (int i = 0; i < numbers.length; i++) {
                sum += numbers[i];
            }
            if (sum > largest) {
                largest = sum;
            }
        }
        return largest;
    }

    private static final class Pair {
        final int first;
        final Object[] second;

        Pair(int first, int second) {
            this.first = first;
            this.second = null;
        }
    }
}
