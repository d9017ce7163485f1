package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static shop.Orders.numbers;

import java.util.Collection;
import java.util.HashSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Each dynamic test is one: the fourth searches a list. */
class DynamicOrdersTest {
    @TestFactory
    Stream<DynamicTest> shops() {
        return IntStream.rangeClosed(1, 5).mapToObj(shop -> dynamicTest("shop " + shop, () -> {
            Collection<Integer> cancelled = numbers(1000, 30);
            if (shop != 4) {
                cancelled = new HashSet<>(cancelled);
            }
            assertEquals(30, Orders.open(numbers(0, 30), cancelled).size());
        }));
    }
}
