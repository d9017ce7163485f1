import com.google.common.collect.HashMultimap;
import com.google.common.collect.HashMultiset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Guava's issue 1013, with 60 elements each. */
public class Cases {
    public static void main(String[] args) {
        Set<Integer> set = switch (args[0]) {
            case "HashMultimap.keySet" -> keys(HashMultimap.create());
            case "HashMultiset.elementSet" -> elements(HashMultiset.create());
            default -> throw new IllegalArgumentException(args[0]);
        };
        List<Integer> others = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            others.add(2000 + i);
        }
        set.removeAll(others);
        System.out.println(set.size());
    }

    private static Set<Integer> keys(HashMultimap<Integer, Integer> map) {
        for (int i = 0; i < 60; i++) {
            map.put(1000 + i, i);
        }
        return map.keySet();
    }

    private static Set<Integer> elements(HashMultiset<Integer> set) {
        for (int i = 0; i < 60; i++) {
            set.add(1000 + i);
        }
        return set.elementSet();
    }
}
