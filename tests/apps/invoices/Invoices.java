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
 * <p>One method is written badly on purpose: it formats the same prices over and
 * over, through thousands of calls of small methods of the JDK. None of those is
 * worth a look, and in a list by cost they come first; the list of subsuming
 * methods names the one to change.
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
