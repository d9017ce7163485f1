import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Carries orders from list to list before it adds them up: something for every view of a report. */
public final class SortsOrders {
    static final class Order implements Comparable<Order> {
        final String customer;
        final int cents;
        final int[] quantities;

        Order(String customer, int cents, int[] quantities) {
            this.customer = customer;
            this.cents = cents;
            this.quantities = quantities;
        }

        /** A copy, with a copy of what belongs to it. */
        Order copy() {
            int[] copied = new int[quantities.length];
            for (int i = 0; i < quantities.length; i++) {
                copied[i] = quantities[i];
            }
            return new Order(customer, cents, copied);
        }

        @Override
        public int compareTo(Order other) {
            int byName = customer.compareTo(other.customer);
            return byName != 0 ? byName : Integer.compare(cents, other.cents);
        }
    }

    /** Filled, and read by nobody. */
    static final class Audit {
        Order last;
        int checksum;
    }

    public static void main(String[] args) {
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            orders.add(new Order("customer " + i % 17, 100 + i * 37 % 911, new int[] {i, i + 1, i + 2, i % 5}));
        }
        List<Order> sorted = new ArrayList<>();
        for (Order order : orders) {
            sorted.add(order.copy());
        }
        Collections.sort(sorted);
        Map<String, Integer> totals = new HashMap<>();
        Audit audit = new Audit();
        for (Order order : sorted) {
            totals.merge(order.customer, total(order), Integer::sum);
            audit.last = order;
            audit.checksum = audit.checksum * 31 + order.cents;
        }
        int all = 0;
        for (int total : totals.values()) {
            all += total;
        }
        System.out.println(totals.size() + " customers, " + all + " cents");
    }

    private static int total(Order order) {
        int pieces = 0;
        for (int quantity : order.quantities) {
            pieces += quantity;
        }
        return pieces * order.cents;
    }
}
