package shop;

import java.util.HashMap;
import java.util.Map;

/** Products and their prices in cents. */
public final class Catalogue {
    private final Map<String, Integer> prices = new HashMap<>();

    public void put(String product, int cents) {
        prices.put(product, cents);
    }

    public int price(String product) {
        Integer cents = prices.get(product);
        if (cents == null) {
            throw new IllegalArgumentException("no product " + product);
        }
        return cents;
    }
}
