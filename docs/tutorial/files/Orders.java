import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up the orders of a day: correctly, and wastefully. docs/tutorial/data-flow.md works on it. */
public class Orders {
    /** What a line of the order book says. */
    record Order(String customer, int pieces, int cents) {
    }

    /** What a customer gets: the same once more. */
    static final class Invoice {
        final String customer;
        final int pieces;
        final int cents;

        Invoice(Order order) {
            customer = order.customer();
            pieces = order.pieces();
            cents = order.cents();
        }
    }

    /** A price, as long as it takes to add it to another. */
    record Price(int euros, int cents) {
        static Price of(int cents) {
            return new Price(cents / 100, cents % 100);
        }

        int inCents() {
            return euros * 100 + cents;
        }
    }

    /** What is known of all orders. */
    static final class Statistics {
        int orders;
        long cents;
        double average;

        void add(Invoice invoice) {
            orders++;
            cents += Price.of(invoice.pieces * invoice.cents).inCents();
            average = (double) cents / orders;
        }
    }

    private final Map<String, Integer> discounts = new HashMap<>();
    private final List<Invoice> invoices = new ArrayList<>();
    private final Statistics statistics = new Statistics();

    void enter(String line) {
        String[] parts = line.split(";");
        Order order = new Order(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
        invoices.add(new Invoice(order));
    }

    void addUp() {
        for (Invoice invoice : invoices) {
            statistics.add(invoice);
        }
    }

    Integer discount(String customer) {
        return discounts.get(customer);
    }

    public static void main(String[] args) {
        Orders orders = new Orders();
        orders.discounts.put("customer 1", 5);
        for (int i = 0; i < 50_000; i++) {
            orders.enter("customer " + i % 100 + ";" + (1 + i % 7) + ";" + (99 + i));
        }
        orders.addUp();
        System.out.println(orders.statistics.orders + " orders, " + orders.statistics.cents + " cents");
        for (String customer : args) {
            int discount = orders.discount(customer);
            System.out.println(customer + " gets " + discount + " percent");
        }
    }
}
