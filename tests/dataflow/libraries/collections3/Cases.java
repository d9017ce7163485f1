import org.apache.commons.collections.CollectionUtils;
import org.apache.commons.collections.ListUtils;
import org.apache.commons.collections.list.SetUniqueList;
import org.apache.commons.collections.list.TreeList;
import org.apache.commons.collections.map.ListOrderedMap;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Bugs of Commons Collections by their numbers, with 60 elements each. */
@SuppressWarnings({"rawtypes", "unchecked"})
public class Cases {
    public static void main(String[] args) {
        System.out.println(switch (args[0]) {
            case "COLLECTIONS-406" -> ListUtils.subtract(numbers(1000), numbers(2000)).size();
            case "COLLECTIONS-408" -> removeAll(SetUniqueList.decorate(new ArrayList<>(numbers(1000))), numbers(2000));
            case "COLLECTIONS-412" -> CollectionUtils.subtract(numbers(1000), numbers(2000)).size();
            case "COLLECTIONS-425" -> removeEach(ordered(), numbers(2000));
            // Reported as one, but it is none.
            case "COLLECTIONS-410" -> addAll(new TreeList(), numbers(1000));
            default -> throw new IllegalArgumentException(args[0]);
        });
    }

    private static List<Integer> numbers(int from) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            numbers.add(from + i);
        }
        return numbers;
    }

    private static int removeAll(List list, List<Integer> others) {
        list.removeAll(others);
        return list.size();
    }

    private static Map ordered() {
        Map map = ListOrderedMap.decorate(new HashMap<Integer, Integer>());
        for (int i = 0; i < 60; i++) {
            map.put(1000 + i, i);
        }
        return map;
    }

    private static int removeEach(Map map, List<Integer> keys) {
        for (Integer key : keys) {
            map.remove(key);
        }
        return map.size();
    }

    private static int addAll(Collection list, List<Integer> others) {
        list.addAll(others);
        return list.size();
    }
}
