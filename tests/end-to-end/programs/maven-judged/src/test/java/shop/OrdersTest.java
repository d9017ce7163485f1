package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static shop.Orders.numbers;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrdersTest {
    @Test
    void searchesAList() {
        List<Integer> cancelled = numbers(100, 30);
        assertEquals(30, Orders.open(numbers(0, 30), cancelled).size());
    }

    @Test
    void searchesASet() {
        List<Integer> cancelled = numbers(100, 30);
        assertEquals(30, Orders.open(numbers(0, 30), new HashSet<>(cancelled)).size());
    }
}
