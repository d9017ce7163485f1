package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static shop.Orders.numbers;

import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import subsume.junit.GrowsAtMost;

class GrowthTest {
    static Stream<List<Integer>> lists() {
        return Stream.of(numbers(0, 50), numbers(0, 100), numbers(0, 200), numbers(0, 400));
    }

    @ParameterizedTest
    @MethodSource("lists")
    @GrowsAtMost(exponent = 1.2)
    void searchesASet(List<Integer> orders) {
        HashSet<Integer> cancelled = new HashSet<>(numbers(1000, orders.size()));
        assertEquals(orders.size(), Orders.open(orders, cancelled).size());
    }

    @ParameterizedTest
    @MethodSource("lists")
    @GrowsAtMost(exponent = 1.2)
    void searchesAList(List<Integer> orders) {
        List<Integer> cancelled = numbers(1000, orders.size());
        assertEquals(orders.size(), Orders.open(orders, cancelled).size());
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 100, 200})
    @GrowsAtMost(exponent = 2.1)
    void mayBeQuadratic(int size) {
        assertEquals(size, Orders.open(numbers(0, size), numbers(1000, size)).size());
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 100})
    @GrowsAtMost(exponent = 1.2)
    void hasTwoSizes(int size) {
        assertEquals(size, numbers(0, size).size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "aaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})
    @GrowsAtMost(exponent = 0.1)
    void growsWithTheText(String text) {
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            for (int j = 0; j < 100; j++) {
                count += text.charAt(i) == 'a' ? 1 : 0;
            }
        }
        assertEquals(100 * text.length(), count);
    }
}
