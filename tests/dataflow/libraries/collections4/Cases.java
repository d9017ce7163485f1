import org.apache.commons.collections4.CollectionUtils;
import org.apache.commons.collections4.ListUtils;
import org.apache.commons.collections4.list.SetUniqueList;
import org.apache.commons.collections4.list.TreeList;
import org.apache.commons.collections4.map.ListOrderedMap;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Bugs of Commons Collections by their numbers, with 60 elements each. */
public class Cases {
    public static void main(String[] args) {
        System.out.println(switch (args[0]) {
            case "COLLECTIONS-406" -> ListUtils.subtract(numbers(1000), numbers(2000)).size();
            case "COLLECTIONS-408" -> removeAll(SetUniqueList.setUniqueList(new ArrayList<>(numbers(1000))), numbers(2000));
            case "COLLECTIONS-412" -> CollectionUtils.subtract(numbers(1000), numbers(2000)).size();
            case "COLLECTIONS-425" -> removeEach(ordered(), numbers(2000));
            // Reported as one, but it is none.
            case "COLLECTIONS-410" -> addAll(new TreeList<Integer>(), numbers(1000));
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

    private static int removeAll(List<Integer> list, List<Integer> others) {
        list.removeAll(others);
        return list.size();
    }

    private static Map<Integer, Integer> ordered() {
        Map<Integer, Integer> map = ListOrderedMap.listOrderedMap(new HashMap<Integer, Integer>());
        for (int i = 0; i < 60; i++) {
            map.put(1000 + i, i);
        }
        return map;
    }

    private static int removeEach(Map<Integer, Integer> map, List<Integer> keys) {
        for (Integer key : keys) {
            map.remove(key);
        }
        return map.size();
    }

    private static int addAll(Collection<Integer> list, List<Integer> others) {
        list.addAll(others);
        return list.size();
    }
}
