package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class FirstTest {
    @Test
    public void adds() {
        Bill bill = new Bill();
        for (int price = 1; price <= 1000; price++) {
            bill.add(price);
        }
        assertEquals(1000 * (1000 + 1L) / 2, bill.total());
    }
}
