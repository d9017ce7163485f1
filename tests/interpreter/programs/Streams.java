import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Streams of the program's objects. */
class Streams {
    static class Item {
        final int n;
        Object link;
        Item(int n) { this.n = n; }
        Object follow() { return link; }
    }

    Object[] all;
    List<Object> some;

    public static void main(String[] args) {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Item item = new Item(i);
            item.link = i % 2 == 0 ? item : args;
            items.add(item);
        }
        Streams s = new Streams();
        s.all = items.stream().map(Item::follow).toArray();
        s.some = items.stream().filter(item -> item.n > 2).map(item -> item.link).collect(Collectors.toList());
        int sum = items.stream().mapToInt(item -> item.n).sum();
        System.out.println(sum + s.all.length + s.some.size() + (s.all[0] == items.get(0) ? 1 : 0));
    }
}
