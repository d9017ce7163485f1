import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;

/** The JDK's lists and maps, holding the program's objects. */
class JdkCollections {
    static class Item { final int n; Object link; Item(int n) { this.n = n; } public int hashCode() { return n; } public boolean equals(Object o) { return o instanceof Item && ((Item) o).n == n; } }

    Object first; List<Item> list = new ArrayList<>(); Map<Item, Item> map = new HashMap<>();

    public static void main(String[] args) {
        JdkCollections c = new JdkCollections();
        for (int i = 0; i < 20; i++) c.list.add(new Item(i));
        for (Item item : c.list) c.map.put(item, new Item(item.n + 100));
        Iterator<Item> it = c.list.iterator();
        it.next();
        c.first = it.next();
        List<Item> copy = new ArrayList<>(c.list);
        LinkedList<Item> linked = new LinkedList<>(copy);
        linked.removeFirst().link = linked.getLast();
        int sum = 0;
        for (Map.Entry<Item, Item> e : c.map.entrySet()) { e.getKey().link = e.getValue(); sum += e.getValue().n; }
        System.out.println(sum + linked.size() + " " + (c.map.get(new Item(3)).n));
    }
}
