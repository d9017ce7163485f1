package shop;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static shop.Orders.numbers;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The loop that searches again and again is the test's. */
class OwnLoopTest {
    @Test
    void eachOrder() {
        List<Integer> cancelled = numbers(100, 30);
        // Classes of JUnit are loaded in it.
        for (int order = 0; order < 30; order++) {
            assertFalse(cancelled.contains(order));
        }
    }
}
