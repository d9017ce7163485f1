import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Orders by customer, with sums, labels and a report: the same work in every run. */
class Orders {
    record Order(String customer, int item, long cents) { }

    static final class Account {
        final String customer;
        final List<Order> orders = new ArrayList<>();
        long cents;
        /** Written with every order and never read. */
        String lastLabel;

        Account(String customer) {
            this.customer = customer;
        }

        void add(Order order) {
            orders.add(order);
            cents += order.cents();
            lastLabel = customer + "/" + order.item();
        }
    }

    private static final class Dice {
        private long state = 42;

        int next(int bound) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            return (int) (state >>> 33) % bound;
        }
    }

    public static void main(String[] args) {
        Dice dice = new Dice();
        Map<String, Account> accounts = new HashMap<>();
        for (int i = 0; i < 4000; i++) {
            Order order = new Order("customer " + dice.next(90), dice.next(500), dice.next(10_000));
            accounts.computeIfAbsent(order.customer(), Account::new).add(order);
        }
        List<Account> sorted = new ArrayList<>(accounts.values());
        sorted.sort((a, b) -> Long.compare(b.cents, a.cents));
        for (Account account : sorted.subList(0, 5)) {
            System.out.println(account.customer + ": " + account.cents + " in " + account.orders.size());
        }
        // Larger than what has a last writer for each element.
        int[] large = new int[100_000];
        for (int i = 0; i < large.length; i += 1000) {
            large[i] = dice.next(7);
        }
        System.out.println(large[5000] + large[99_000]);
    }
}
