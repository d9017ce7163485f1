import java.util.ArrayList;
import java.util.List;

/** Searches a list once for each element of another: what a recording of loops finds. */
public final class SearchesOrders {
    public static void main(String[] args) {
        List<Integer> orders = new ArrayList<>();
        List<Integer> cancelled = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            orders.add(1000 + i);
            cancelled.add(2000 + i);
        }
        System.out.println(open(orders, cancelled) + " orders are open");
    }

    private static int open(List<Integer> orders, List<Integer> cancelled) {
        int open = 0;
        for (Integer order : orders) {
            if (!cancelled.contains(order)) {
                open++;
            }
        }
        return open;
    }
}
