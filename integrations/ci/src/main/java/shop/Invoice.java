package shop;

import java.util.List;

/** What a customer pays. */
public final class Invoice {
    private final Catalogue catalogue;

    public Invoice(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    public long total(List<String> products) {
        long total = 0;
        for (String product : products) {
            total += catalogue.price(product);
        }
        return total;
    }

    public String text(List<String> products) {
        StringBuilder text = new StringBuilder();
        for (String product : products) {
            line(text, product, catalogue.price(product));
        }
        line(text, "total", total(products));
        return text.toString();
    }

    private static void line(StringBuilder text, String name, long cents) {
        text.append(name).append(' ').append(cents / 100).append('.');
        text.append(cents % 100 / 10).append(cents % 10).append('\n');
    }
}
