package shop;

import java.util.ArrayList;
import java.util.List;
import shop.sql.Connection;

/** Prints what customers have ordered. */
public final class Shop {
    private static final int DAYS = 20;
    private static final int CUSTOMERS = 200;

    private final Connection connection = new Connection(DAYS * CUSTOMERS);

    public static void main(String[] arguments) {
        Shop shop = new Shop();
        long total = 0;
        for (int day = 0; day < DAYS; day++) {
            List<String> names = shop.names(day * CUSTOMERS);
            total += shop.invoice(names);
            total += shop.distinct(names);
        }
        System.out.println("total " + total);
    }

    /** The names of the customers from a number on. */
    List<String> names(int first) {
        List<String> names = new ArrayList<>();
        for (int number = first; number < first + CUSTOMERS; number++) {
            // A query for each.
            names.add(name(number));
        }
        return names;
    }

    private String name(int number) {
        return connection.executeQuery(number, number + 1).get(0);
    }

    /** What all customers owe. */
    long invoice(List<String> names) {
        long sum = 0;
        for (String name : names) {
            sum += price(name);
        }
        return sum;
    }

    /** What one customer owes. */
    long price(String name) {
        long price = 0;
        // A copy for each customer.
        List<Character> letters = new ArrayList<>();
        for (char letter : name.toCharArray()) {
            letters.add(letter);
        }
        for (char letter : letters) {
            price = price * 31 + letter;
        }
        return price & 0xffff;
    }

    /** How many different names there are. */
    int distinct(List<String> names) {
        // A quadratic loop.
        List<String> seen = new ArrayList<>();
        for (String name : names) {
            if (!seen.contains(name)) {
                seen.add(name);
            }
        }
        return seen.size();
    }
}
