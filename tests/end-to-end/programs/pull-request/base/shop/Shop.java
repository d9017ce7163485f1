package shop;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
        return connection.executeQuery(first, first + CUSTOMERS);
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
        for (int at = 0; at < name.length(); at++) {
            price = price * 31 + name.charAt(at);
        }
        return price & 0xffff;
    }

    /** How many different names there are. */
    int distinct(List<String> names) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            seen.add(name);
        }
        return seen.size();
    }
}
