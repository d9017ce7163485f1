import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** In its first iteration, the loop has a class loaded and initialised, and a lambda linked. */
public class LoadsClasses {
    static class Even {
        static final int[] REMAINDERS = new int[100];

        static {
            for (int i = 0; i < 100; i++) {
                REMAINDERS[i] = i & 1;
            }
        }

        static boolean has(int number) {
            return (number & 1) == 0;
        }
    }

    public static void main(String[] arguments) {
        List<Integer> cancelled = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            cancelled.add(2000 + i);
        }
        System.out.println(count(cancelled));
    }

    static int count(List<Integer> cancelled) {
        int count = 0;
        for (int order = 0; order < 30; order++) {
            int least = count;
            IntPredicate counts = number -> Even.has(number) && number >= least;
            if (counts.test(order) && !cancelled.contains(1000 + order)) {
                count++;
            }
        }
        return count;
    }
}
