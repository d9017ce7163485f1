package shop;

/** Found by its name; needs no framework. */
public class PricesTest {
    public void testWithTax() {
        if (Prices.withTax(3000) <= 0 || Boolean.getBoolean("fails")) {
            throw new AssertionError();
        }
    }
}
