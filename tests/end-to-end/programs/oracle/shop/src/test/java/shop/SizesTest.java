package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static shop.Orders.numbers;

import java.util.Collection;
import java.util.HashSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each invocation is a test: those with 40 orders or more search a list. */
class SizesTest {
    @ParameterizedTest
    @ValueSource(ints = {10, 20, 30, 40, 50})
    void sizes(int size) {
        Collection<Integer> cancelled = numbers(1000, size);
        if (size < 40) {
            cancelled = new HashSet<>(cancelled);
        }
        assertEquals(size, Orders.open(numbers(0, size), cancelled).size());
    }
}
