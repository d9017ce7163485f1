package shop;

/** Found by its name; needs no framework. */
public class TillTest {
    public void testTotal() {
        Till till = new Till();
        for (int price = 1; price <= 100; price++) {
            till.add(price);
        }
        if (till.total() != 5050) {
            throw new AssertionError(till.total());
        }
    }
}
