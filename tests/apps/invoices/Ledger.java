package apps.invoices;

import apps.Words;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** What was sold to whom: made-up customers, items and sales. */
final class Ledger {
    /** One line of an invoice. */
    record Sale(String customer, String item, int amount, BigDecimal price) {}

    private final List<Sale> sales = new ArrayList<>();

    Ledger(long seed, int count) {
        Words words = new Words(seed, 600);
        for (int i = 0; i < count; i++) {
            String customer = words.word(words.number(40)) + " " + words.word(words.number(20));
            sales.add(new Sale(customer, words.next(), 1 + words.number(12),
                    BigDecimal.valueOf(100 + words.number(50_000), 2)));
        }
    }

    List<Sale> sales() {
        return sales;
    }
}
