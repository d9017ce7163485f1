package shop;

/** Found by its name; needs no framework. */
public class BillTest {
    public void testTotal() {
        Bill bill = new Bill();
        for (int price = 1; price <= 100; price++) {
            bill.add(price);
        }
        if (bill.total() != 5050) {
            throw new AssertionError(bill.total());
        }
    }
}
