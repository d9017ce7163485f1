import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;

/** The example of docs/explanation/loops.md: with an argument, the list of cancelled orders is a set. */
public class Cancelled {
    record Order(int number) {
    }

    public static void main(String[] arguments) {
        List<Order> orders = new ArrayList<>();
        Collection<Integer> cancelled = arguments.length == 0 ? new ArrayList<>() : new HashSet<>();
        for (int i = 0; i < 30; i++) {
            orders.add(new Order(1000 + i));
            cancelled.add(2000 + i);
        }
        System.out.println(open(orders, cancelled).size());
    }

    static List<Order> open(List<Order> orders, Collection<Integer> cancelled) {
        List<Order> open = new ArrayList<>();
        for (Order order : orders) {
            if (!cancelled.contains(order.number())) {
                open.add(order);
            }
        }
        return open;
    }
}
