package shop;

/** Found by its name; needs no framework. */
public class SecondTest {
    public void testSum() {
        if (Orders.sum(2000) != 2000 * (2000 - 1L) / 2) {
            throw new AssertionError();
        }
    }
}
