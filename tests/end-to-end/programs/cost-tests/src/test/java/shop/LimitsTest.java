package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static shop.Orders.fibonacci;
import static shop.Orders.numbers;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import subsume.junit.AllocatesAtMost;
import subsume.junit.CallsAtMost;
import subsume.junit.Costs;
import subsume.junit.ExecutesAtMost;
import subsume.junit.Subsume;

class LimitsTest {
    private List<Integer> orders;
    private List<Integer> cancelled;

    /** Does not count. */
    @BeforeEach
    void setUp() {
        orders = numbers(0, 30);
        cancelled = numbers(100, 1000);
        fibonacci(15);
    }

    @Test
    @ExecutesAtMost(bytecodes = 300_000)
    void executesMuch() {
        List<Integer> cancelled = numbers(100, 1000);
        assertEquals(30, Orders.open(numbers(0, 30), cancelled).size());
    }

    @Test
    @ExecutesAtMost(bytecodes = 300_000)
    @AllocatesAtMost(objects = 3_000)
    @CallsAtMost(method = "java.util.*.contains", times = 30)
    void executesLittle() {
        Set<Integer> cancelled = new HashSet<>(numbers(100, 1000));
        assertEquals(30, Orders.open(numbers(0, 30), cancelled).size());
    }

    @Test
    @AllocatesAtMost(objects = 100)
    void allocatesMuch() {
        assertEquals(1000, new HashSet<>(cancelled).size());
    }

    /** 16 bytes of the array's header, and 4 for each number. */
    @Test
    @AllocatesAtMost(bytes = 4_015)
    void allocatesBytes() {
        assertEquals(1000, new int[1000].length);
    }

    /** The list implements what is named. */
    @Test
    @CallsAtMost(method = "java.util.Collection.contains", times = 29)
    @CallsAtMost(method = "shop.Orders.open", times = 1)
    void callsOften() {
        assertEquals(30, Orders.open(orders, cancelled).size());
    }

    /** The wrapper and its list both implement what is named. */
    @Test
    @CallsAtMost(method = "java.util.Collection.contains", times = 59)
    void callsAWrapperOften() {
        assertEquals(30, Orders.open(orders, Collections.unmodifiableCollection(cancelled)).size());
    }

    /** Four classes, one of them with an overloaded method. */
    @Test
    @CallsAtMost(method = "shop.LimitsTest$*.add", times = 10)
    @CallsAtMost(method = "shop.LimitsTest$First.add", times = 2)
    void callsManyMethods() {
        for (int i = 0; i < 1000; i++) {
            Second.add(i);
        }
        First.add(1);
        First.add("1");
        First.add("2");
        Third.add(1);
        Third.add(2);
        Fourth.add(1);
    }

    static final class First {
        static void add(int number) {}

        static void add(String text) {}
    }

    static final class Second {
        static void add(int number) {}
    }

    static final class Third {
        static void add(int number) {}
    }

    static final class Fourth {
        static void add(int number) {}
    }

    @Test
    @CallsAtMost(method = "shop.Orders.fibonacci", times = 177)
    void fibonacciOftenEnough() {
        assertEquals(55, fibonacci(10));
    }

    @Test
    @CallsAtMost(method = "shop.Orders.fibonacci", times = 176)
    void fibonacciOnceTooOften() {
        assertEquals(55, fibonacci(10));
    }

    @Test
    @ExecutesAtMost(bytecodes = 10)
    @CallsAtMost(method = "*.fibonacci", times = 10)
    void twoLimits() {
        assertEquals(55, fibonacci(10));
    }

    /** Its own failure is what is reported. */
    @Test
    @ExecutesAtMost(bytecodes = 1)
    void throwsItself() {
        fibonacci(10);
        throw new IllegalStateException("meant");
    }

    @Test
    @ExecutesAtMost(bytecodes = 20_000)
    void othersDoNotCount() throws InterruptedException {
        Thread thread = new Thread(() -> fibonacci(20));
        thread.start();
        thread.join();
    }

    @Test
    void measures() {
        Costs costs = Subsume.measure(() -> fibonacci(10));
        assertEquals(costs.isMeasured() ? 177 : 0, costs.calls("shop.Orders.fibonacci"));
        assertEquals(0, costs.objects());
        assertTrue(costs.bytecodes() < 10_000, costs.toString());
        Exception checked = assertThrows(Exception.class, () -> Subsume.measure(() -> {
            throw new Exception("checked");
        }));
        assertEquals("checked", checked.getMessage());
        assertEquals(costs.toString(), Subsume.measure(() -> fibonacci(10)).toString());
    }
}
