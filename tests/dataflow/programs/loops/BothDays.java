import java.util.HashSet;
import java.util.Set;

/** The example of docs/explanation/growth.md: who came on both days? */
public class BothDays {
    public static void main(String[] arguments) {
        for (int visitors = 25; visitors <= 400; visitors *= 2) {
            int[] monday = visitors(0, visitors);
            int[] tuesday = visitors(visitors, visitors);
            System.out.println(
                    arguments.length == 0
                            ? onBothDays(monday, tuesday)
                            : onBothDays(monday, asSet(tuesday)));
        }
    }

    static int onBothDays(int[] monday, int[] tuesday) {
        int both = 0;
        for (int visitor : monday) {
            if (contains(tuesday, visitor)) {
                both++;
            }
        }
        return both;
    }

    static boolean contains(int[] all, int sought) {
        for (int one : all) {
            if (one == sought) {
                return true;
            }
        }
        return false;
    }

    // As it should be.
    static int onBothDays(int[] monday, Set<Integer> tuesday) {
        int both = 0;
        for (int visitor : monday) {
            if (tuesday.contains(visitor)) {
                both++;
            }
        }
        return both;
    }

    private static Set<Integer> asSet(int[] numbers) {
        Set<Integer> set = new HashSet<>();
        for (int number : numbers) {
            set.add(number);
        }
        return set;
    }

    private static int[] visitors(int from, int count) {
        int[] visitors = new int[count];
        for (int i = 0; i < count; i++) {
            visitors[i] = from + i;
        }
        return visitors;
    }
}
