package shop.sql;

import java.util.ArrayList;
import java.util.List;

/** Stands in for a database: its classes have names as those of drivers. */
public final class Connection {
    private final int customers;

    public Connection(int customers) {
        this.customers = customers;
    }

    /** The customers from a number up to another, as {@code select name from customer where ...} has them. */
    public List<String> executeQuery(int from, int to) {
        List<String> names = new ArrayList<>();
        for (int number = from; number < Math.min(to, customers); number++) {
            names.add(parse(number));
        }
        return names;
    }

    private static String parse(int number) {
        char[] name = new char[12];
        for (int at = name.length - 1; at >= 0; at--) {
            name[at] = (char) ('a' + number % 26);
            number = number / 26 + at;
        }
        return new String(name);
    }
}
