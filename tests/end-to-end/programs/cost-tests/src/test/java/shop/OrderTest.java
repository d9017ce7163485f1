package shop;

import static shop.Orders.numbers;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import subsume.junit.ExecutesAtMost;

/** All of these fail: what they say must not depend on their order. */
@TestMethodOrder(MethodOrderer.Random.class)
@ExecutesAtMost(bytecodes = 0)
class OrderTest {
    @Test
    void lambdas() {
        Optional.of(numbers(0, 5)).map(List::size).filter(size -> size > 3).ifPresent(size -> {
            numbers(0, size);
        });
    }

    @Test
    void streams() {
        numbers(0, 100).stream()
                .collect(Collectors.groupingBy(number -> number % 7, Collectors.counting()))
                .forEach((rest, count) -> numbers(rest, count.intValue()));
    }

    @Test
    void concatenation() {
        StringBuilder all = new StringBuilder();
        for (Integer number : numbers(0, 20)) {
            all.append("order " + number + " of " + 20L);
        }
    }

    @Test
    void collections() {
        Map<Integer, Integer> map = new HashMap<>();
        Orders.open(numbers(0, 30), new HashSet<>(numbers(10, 10))).forEach(order -> map.merge(order, 1, Integer::sum));
    }

    @Test
    void patterns() {
        Pattern.compile("([a-z]+)-([0-9]+)").matcher("order-17").matches();
    }

    @Test
    void dates() {
        LocalDate.of(2026, 1, 31).plusMonths(1).isLeapYear();
    }

    @RepeatedTest(3)
    void repeated() {
        numbers(0, 10).forEach(number -> numbers(number, 2));
    }
}
