import java.util.ArrayList;
import java.util.List;

/** A small project with two wastes, for an assistant that knows nothing of it. */
public final class Shop {
    private static List<String> cancelled = new ArrayList<>();

    public static void main(String[] arguments) {
        for (int order = 0; order < 300; order++) {
            cancelled.add("order-" + order * 7);
        }
        long total = 0;
        for (int day = 0; day < 30; day++) {
            List<String> orders = new ArrayList<>();
            for (int order = 0; order < 200; order++) {
                orders.add("order-" + (day * 13 + order));
            }
            total += valid(orders);
            for (String order : orders) {
                total += rate(order.length() % 3);
            }
        }
        System.out.println("total " + total);
    }

    private static int valid(List<String> orders) {
        int valid = 0;
        for (String order : orders) {
            if (!cancelled.contains(order)) {
                valid++;
            }
        }
        return valid;
    }

    private static int rate(int country) {
        int rate = country;
        for (int digit = 0; digit < 300; digit++) {
            rate = next(rate, digit);
        }
        return rate;
    }

    private static int next(int rate, int digit) {
        return (rate * 31 + digit) % 1_009;
    }
}
