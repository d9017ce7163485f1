package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static shop.Orders.numbers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Costs more if the build says so. */
class SnapshotTest {
    @Test
    void opens() {
        int count = Integer.getInteger("shop.orders", 30);
        assertEquals(count, Orders.open(numbers(0, count), numbers(100, 100)).size());
    }

    @Test
    void staysTheSame() {
        assertEquals(55, Orders.fibonacci(10));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void sizes(int size) {
        assertEquals(size, numbers(0, size).size());
    }
}
