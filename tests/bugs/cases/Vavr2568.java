package app;

import io.vavr.collection.Vector;
import java.util.List;
import office.Office;

/** Most customers see all prices of the day, some of them their own. */
public final class Vavr2568 {
    private Vavr2568() {}

    public static void main(String[] arguments) {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(offers(day));
            Office.afternoon(day);
        }
        Office.close();
    }

    private static long offers(int day) {
        Vector<Integer> prices = Vector.range(0, 900).map(number -> number * 7 % 1000 + day);
        long sum = 0;
        for (int customer = 0; customer < 45; customer++) {
            sum = sum * 31 + offer(prices, customer).size();
        }
        return sum;
    }

    private static Vector<Integer> offer(Vector<Integer> prices, int customer) {
        List<Integer> shown = customer % 9 == 8 ? List.of(customer) : prices.asJava();
        return Vector.ofAll(shown);
    }
}
