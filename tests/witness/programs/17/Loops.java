import java.util.ArrayList;
import java.util.List;

/** Loops in loops, left and continued from inside, with exits in odd places. */
public class Loops {
    static int primes(int limit) {
        int count = 0;
        candidates:
        for (int n = 2; n < limit; n++) {
            for (int d = 2; d * d <= n; d++) {
                if (n % d == 0) {
                    continue candidates;
                }
            }
            count++;
        }
        return count;
    }

    static int collatz(int n) {
        int steps = 0;
        while (n != 1) {
            do {
                n = (n & 1) == 0 ? n / 2 : 3 * n + 1;
                steps++;
            } while ((n & 3) == 3);
        }
        return steps;
    }

    static int forever() {
        int a = 0;
        int b = 1;
        for (;;) {
            int c = a + b;
            if (c > 100000) {
                return b;
            }
            a = b;
            b = c;
        }
    }

    static int triangle(int n) {
        int sum = 0;
        for (int i = 0, j = n; i < j; i++, j--) {
            for (int k = i; k <= j; k += 2) {
                sum += k % 3 == 0 && k != i || k == j ? 1 : 2;
            }
        }
        return sum;
    }

    /** The loop starts with the first instruction of the method. */
    static int atOnce(int n) {
        while (n > 10) {
            n -= 7;
        }
        return n;
    }

    static long long65536() {
        long sum = 0;
        for (int i = 0; i < 30000; i++) {
            sum += i ^ 5;
        }
        return sum;
    }

    static int each(List<Integer> list, int[] array) {
        int sum = 0;
        for (int x : array) {
            sum += x;
        }
        for (Integer x : list) {
            sum -= x;
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(primes(300) + " " + collatz(27) + " " + forever() + " " + triangle(25));
        System.out.println(atOnce(5) + " " + atOnce(123) + " " + long65536());
        List<Integer> list = new ArrayList<>();
        int[] array = new int[12];
        for (int i = 0; i < 12; i++) {
            list.add(i);
            array[i] = i * i;
        }
        System.out.println(each(list, array) + " " + each(List.of(), new int[0]));
    }
}
