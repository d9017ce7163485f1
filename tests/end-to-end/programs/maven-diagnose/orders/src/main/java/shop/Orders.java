package shop;

/** Orders at prices. */
public final class Orders {
    private Orders() {}

    public static long total(int count) {
        return Prices.withTax(count);
    }
}
