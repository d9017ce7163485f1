package shop;

/** Found by its name; needs no framework. */
public class FirstTest {
    public void testSum() {
        if (Orders.sum(1000) != 1000 * (1000 - 1L) / 2) {
            throw new AssertionError();
        }
    }
}
