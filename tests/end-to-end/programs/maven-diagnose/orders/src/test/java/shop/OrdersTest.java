package shop;

/** Found by its name; needs no framework. */
public class OrdersTest {
    public void testTotal() {
        if (Orders.total(2000) <= 0) {
            throw new AssertionError();
        }
    }
}
