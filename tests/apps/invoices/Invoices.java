package apps.invoices;

import apps.App;
import apps.Digest;
import apps.Size;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Prints invoices with nothing but the JDK, for machines that cannot reach the
 * Maven repository.
 *
 * <p>One method is written badly on purpose: it formats every price with a
 * format string. That costs thousands of calls of small methods of the JDK, none
 * of which is worth a look, though in a list by cost they come first. The list of
 * subsuming methods has one near its top that tells what goes on: every price
 * asks for the symbols of its locale again.
 */
public final class Invoices implements App {
    private static final int COLUMN = 24;

    @Override
    public String name() {
        return "invoices";
    }

    @Override
    public String iterate(Size size) {
        Digest digest = new Digest();
        Ledger ledger = new Ledger(8, size.of(6_000, 60_000));
        Map<String, List<Ledger.Sale>> byCustomer = ledger.sales().stream()
                .collect(Collectors.groupingBy(Ledger.Sale::customer, TreeMap::new, Collectors.toList()));
        for (Map.Entry<String, List<Ledger.Sale>> customer : byCustomer.entrySet()) {
            digest.add(invoice(customer.getKey(), customer.getValue()));
        }
        return digest.text();
    }

    private static String invoice(String customer, List<Ledger.Sale> sales) {
        StringBuilder text = new StringBuilder("Invoice for ").append(customer).append('\n');
        BigDecimal total = BigDecimal.ZERO;
        for (Ledger.Sale sale : inOrder(sales)) {
            BigDecimal worth = sale.price().multiply(BigDecimal.valueOf(sale.amount()));
            total = total.add(worth);
            text.append(padded(sale.item())).append(padded(sale.amount() + " x " + money(sale.price())))
                    .append(money(worth)).append('\n');
        }
        return text.append(padded("total")).append(money(total)).toString();
    }

    private static List<Ledger.Sale> inOrder(List<Ledger.Sale> sales) {
        return sales.stream().sorted((a, b) -> {
            int byItem = a.item().compareTo(b.item());
            return byItem != 0 ? byItem : a.price().compareTo(b.price());
        }).toList();
    }

    /** The deliberate mistake: a format string is parsed for every single price. */
    private static String money(BigDecimal value) {
        return String.format(Locale.ROOT, "%,12.2f CHF", value);
    }

    private static String padded(String text) {
        StringBuilder padded = new StringBuilder(text);
        while (padded.length() < COLUMN) {
            padded.append(' ');
        }
        return padded.toString();
    }
}
