package shop;

/** Found by its name; needs no framework. */
public class RateTest {
    public void testRate() {
        if (Prices.rate(1) != Prices.rate(1)) {
            throw new AssertionError();
        }
    }
}
