package shop;

import static shop.Orders.fibonacci;

import org.junit.jupiter.api.Test;
import subsume.junit.ExecutesAtMost;

/** The limit of a test comes before that of its class. */
@ExecutesAtMost(bytecodes = 100)
class OfClassTest {
    @Test
    void small() {
        fibonacci(1);
    }

    @Test
    void ofTheClass() {
        fibonacci(10);
    }

    @Test
    @ExecutesAtMost(bytecodes = 10_000)
    void ofItsOwn() {
        fibonacci(10);
    }
}
