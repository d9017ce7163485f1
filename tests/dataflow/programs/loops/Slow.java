import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Uses of the JDK that take quadratic time. */
public class Slow {
    private static final int SIZE = 60;

    public static void main(String[] cases) {
        run(cases, 0);
    }

    /** Not in a loop, which would be judged, too. */
    private static void run(String[] cases, int next) {
        if (next < cases.length) {
            System.out.println(result(cases[next]));
            run(cases, next + 1);
        }
    }

    private static int result(String name) {
        return switch (name) {
            case "removeAll" -> removeAll();
            case "valuesRemoveAll" -> valuesRemoveAll();
            case "linkedList" -> linkedList();
            case "addAllAbsent" -> addAllAbsent();
            case "removeFirst" -> removeFirst();
            case "foundEarly" -> foundEarly();
            case "foundByHand" -> foundByHand();
            case "foundByStream" -> foundByStream();
            case "foundByMethod" -> foundByMethod();
            case "foundByFilter" -> foundByFilter();
            case "differsFromAll" -> differsFromAll();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static List<String> names(String prefix) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            names.add(prefix + i);
        }
        return names;
    }

    private static int removeAll() {
        Set<String> set = new HashSet<>(names("a"));
        set.removeAll(names("b"));
        return set.size();
    }

    private static int valuesRemoveAll() {
        Map<String, String> map = new HashMap<>();
        for (String name : names("a")) {
            map.put(name, name);
        }
        map.values().removeAll(names("b"));
        return map.size();
    }

    private static int linkedList() {
        List<String> list = new LinkedList<>(names("a"));
        int length = 0;
        for (int i = 0; i < list.size(); i++) {
            length += list.get(i).length();
        }
        return length;
    }

    private static int addAllAbsent() {
        CopyOnWriteArrayList<String> list = new CopyOnWriteArrayList<>(names("a"));
        return list.addAllAbsent(names("b"));
    }

    /** Thirty words, all of which are found, many of them soon. */
    private static List<String> shuffled(int seed) {
        List<String> words = names("a").subList(0, SIZE / 2);
        List<String> shuffled = new ArrayList<>();
        for (String word : words) {
            shuffled.add(new String(word));
        }
        Collections.shuffle(shuffled, new Random(seed));
        return shuffled;
    }

    private static int foundEarly() {
        List<String> list = shuffled(1);
        int found = 0;
        for (String word : shuffled(2)) {
            found += list.contains(word) ? 1 : 0;
        }
        return found;
    }

    private record Numbered(int number) {}

    private static List<Numbered> numbered() {
        List<Numbered> list = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            list.add(new Numbered(i));
        }
        return list;
    }

    private static int foundByStream() {
        List<Numbered> list = numbered();
        int found = 0;
        for (int i = 0; i < SIZE; i++) {
            int number = i * 7 % SIZE;
            found += list.stream().anyMatch(one -> one.number() == number && one.number() >= 0) ? 1 : 0;
        }
        return found;
    }

    private static boolean isSame(Numbered one, int number) {
        return one.number == number;
    }

    private static int foundByMethod() {
        List<Numbered> list = numbered();
        int found = 0;
        for (int i = 0; i < SIZE; i++) {
            int number = i * 7 % SIZE;
            found += list.stream().anyMatch(one -> isSame(one, number)) ? 1 : 0;
        }
        return found;
    }

    private static int foundByFilter() {
        List<Numbered> list = numbered();
        int sum = 0;
        for (int i = 0; i < SIZE; i++) {
            int number = i * 7 % SIZE;
            sum += list.stream().filter(one -> one.number == number).findFirst().get().number;
        }
        return sum;
    }

    private static int differsFromAll() {
        List<Numbered> list = numbered();
        int found = 0;
        for (int i = 0; i < SIZE; i++) {
            int number = i * 7 % SIZE + SIZE;
            found += list.stream().allMatch(one -> one.number != number) ? 1 : 0;
        }
        return found;
    }

    private static int foundByHand() {
        List<Numbered> list = numbered();
        int sum = 0;
        for (int i = 0; i < SIZE; i++) {
            sum += indexOf(list, i * 7 % SIZE);
        }
        return sum;
    }

    private static int indexOf(List<Numbered> list, int number) {
        int index = 0;
        for (Numbered one : list) {
            if (one.number() == number) {
                return index;
            }
            index++;
        }
        return -1;
    }

    /** Only the copies of elements repeat themselves. */
    private static int removeFirst() {
        ArrayList<String> list = new ArrayList<>(names("a"));
        int length = 0;
        while (!list.isEmpty()) {
            length += list.remove(0).length();
        }
        return length;
    }
}
