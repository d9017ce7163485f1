package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static shop.Orders.numbers;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import subsume.junit.AllowRepeatedReads;

class AcceptedTest {
    @Test
    @AllowRepeatedReads("a shop cancels thirty orders a year")
    void searchesAList() {
        assertEquals(30, Orders.open(numbers(0, 30), numbers(100, 30)).size());
    }

    @Nested
    @AllowRepeatedReads("so does a branch")
    class Branch {
        @Test
        void searchesAList() {
            assertEquals(30, Orders.open(numbers(0, 30), numbers(100, 30)).size());
        }
    }
}
