import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A thousand short lists are searched, and one long one, in a loop; beside other work. */
public class LongListAmongShort {
    static int shortLists() {
        int found = 0;
        for (int list = 0; list < 1_000; list++) {
            List<Integer> numbers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                numbers.add(list + i);
            }
            for (int i = 0; i < 4; i++) {
                found += numbers.contains(list + 2 * i) ? 1 : 0;
            }
        }
        return found;
    }

    static int withoutDuplicates() {
        List<Integer> seen = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            Integer number = i * 7919 % 100_003;
            if (!seen.contains(number)) {
                seen.add(number);
            }
        }
        return seen.size();
    }

    static int otherWork() {
        TreeMap<Integer, Integer> squares = new TreeMap<>();
        for (int i = 0; i < 3_000; i++) {
            squares.merge(i * i % 1_009, 1, Integer::sum);
        }
        return squares.size();
    }

    public static void main(String[] args) {
        System.out.println(shortLists() + otherWork() + withoutDuplicates());
    }
}
