import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** Wastes in three ways, which it does not do any more with the argument "mended". */
class Wasteful {
    private static final String[] COUNTRIES = {"de", "fr", "it"};
    private static final Map<String, Integer> KEPT = new HashMap<>();

    public static void main(String[] arguments) {
        boolean mended = arguments.length > 0;
        Collection<String> cancelled = mended ? new HashSet<>() : new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            cancelled.add("order-" + i * 7);
        }
        long total = 0;
        for (int day = 0; day < 20; day++) {
            List<String> orders = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                orders.add("order-" + (day * 300 + i));
            }
            total += without(orders, cancelled);
            for (String order : orders) {
                String country = COUNTRIES[order.length() % 3];
                total += mended ? KEPT.computeIfAbsent(country, Wasteful::rate) : rate(country);
                total += mended ? Math.max(-1, order.length() - 20) : number(order);
            }
        }
        System.out.println(total);
    }

    /** Searches a list for each order. */
    private static int without(List<String> orders, Collection<String> cancelled) {
        int left = 0;
        for (String order : orders) {
            if (!cancelled.contains(order)) {
                left++;
            }
        }
        return left;
    }

    /** Is computed again for each order. */
    private static int rate(String country) {
        int sum = 0;
        for (int i = 0; i < 300; i++) {
            sum += country.charAt(i % country.length()) * i;
        }
        return sum % 25;
    }

    /** Throws for each order. */
    private static int number(String order) {
        try {
            return Integer.parseInt(order);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
