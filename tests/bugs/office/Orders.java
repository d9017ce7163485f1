package office;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Orders of a month: made, grouped, sorted, taxed, and printed as statements. */
public final class Orders {
    public record Line(String article, int count, BigDecimal price) {
        BigDecimal sum() {
            return price.multiply(BigDecimal.valueOf(count));
        }
    }

    public record Order(int number, String customer, String country, List<Line> lines) {
        BigDecimal sum() {
            return lines.stream().map(Line::sum).reduce(BigDecimal.ZERO, BigDecimal::add);
        }
    }

    private static final String[] COUNTRIES = {"AT", "BE", "CZ", "DK", "EE", "FI", "GR"};

    private Orders() {}

    public static List<Order> make(int round, int count) {
        Random random = new Random(round);
        List<Order> orders = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            List<Line> lines = new ArrayList<>();
            for (int line = 1 + random.nextInt(5); line > 0; line--) {
                BigDecimal price = BigDecimal.valueOf(100 + random.nextInt(90_000), 2);
                lines.add(new Line("article-" + random.nextInt(800), 1 + random.nextInt(9), price));
            }
            String customer = "customer-" + random.nextInt(120);
            String country = COUNTRIES[random.nextInt(COUNTRIES.length)];
            orders.add(new Order(round * 10_000 + number, customer, country, lines));
        }
        return orders;
    }

    public static long run(int round) {
        List<Order> orders = make(round, 400);
        Map<String, List<Order>> byCustomer =
                orders.stream().collect(Collectors.groupingBy(Order::customer, TreeMap::new, Collectors.toList()));
        StringBuilder statements = new StringBuilder();
        for (Map.Entry<String, List<Order>> customer : byCustomer.entrySet()) {
            statements.append(statement(customer.getKey(), customer.getValue()));
        }
        Map<String, BigDecimal> taxes = new TreeMap<>();
        for (Order order : orders) {
            taxes.merge(order.country(), tax(order), BigDecimal::add);
        }
        List<Order> largest = new ArrayList<>(orders);
        largest.sort(Comparator.comparing(Order::sum).reversed().thenComparing(Order::number));
        return statements.length() + taxes.hashCode() + largest.get(0).number();
    }

    private static String statement(String customer, List<Order> orders) {
        StringBuilder text = new StringBuilder("Statement for ").append(customer).append('\n');
        BigDecimal total = BigDecimal.ZERO;
        for (Order order : orders) {
            total = total.add(order.sum());
            text.append(order.number()).append(' ').append(order.sum().toPlainString()).append('\n');
        }
        return text.append(String.format(Locale.ROOT, "%-12s %12.2f%n", "total", total)).toString();
    }

    private static BigDecimal tax(Order order) {
        BigDecimal rate = BigDecimal.valueOf(17 + order.country().charAt(0) % 9, 2);
        return order.sum().multiply(rate).setScale(2, RoundingMode.HALF_EVEN);
    }
}
