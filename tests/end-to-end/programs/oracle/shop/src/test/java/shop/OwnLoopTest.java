package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static shop.Orders.numbers;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The loop that searches again and again is the test's. */
class OwnLoopTest {
    @Test
    void eachOrder() {
        List<Integer> cancelled = numbers(100, 30);
        int both = 0;
        for (int order = 0; order < 30; order++) {
            both += cancelled.contains(order) ? 1 : 0;
        }
        assertEquals(0, both);
    }
}
