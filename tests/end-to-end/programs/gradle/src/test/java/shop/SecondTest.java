package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class SecondTest {
    @Test
    public void adds() {
        Bill bill = new Bill();
        for (int price = 1; price <= 2000; price++) {
            bill.add(price);
        }
        assertEquals(2000 * (2000 + 1L) / 2, bill.total());
    }
}
