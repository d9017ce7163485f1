import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A library and its user, both with a quadratic loop, and the JDK with one on behalf of each. */
public class Chosen {
    public static void main(String[] arguments) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            numbers.add(1000 + i);
        }
        int found = 0;
        for (int i = 0; i < 40; i++) {
            found += numbers.contains(i) ? 1 : 0;
        }
        found += Library.count(numbers);
        System.out.println(found + removed(numbers) + Library.removed(numbers));
    }

    static int removed(List<Integer> numbers) {
        Set<Integer> set = new HashSet<>();
        for (int i = 0; i < 30; i++) {
            set.add(i);
        }
        set.removeAll(numbers);
        return set.size();
    }

    static class Library {
        static int count(List<Integer> numbers) {
            int found = 0;
            for (int i = 0; i < 40; i++) {
                found += numbers.contains(-i) ? 1 : 0;
            }
            return found;
        }

        static int removed(List<Integer> numbers) {
            return Chosen.removed(numbers);
        }
    }
}
