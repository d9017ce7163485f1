package shop;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;
import subsume.junit.AllocatesAtMost;
import subsume.junit.CallsAtMost;
import subsume.junit.ExecutesAtMost;

/** Fails where the name says so, under the agent. */
@ExecutesAtMost(bytecodes = 300_000)
public class LimitsTest {
    private static List<Integer> numbers(int from, int count) {
        return new ArrayList<>(IntStream.range(from, from + count).boxed().toList());
    }

    @Test
    public void executesMuch() {
        assertEquals(Orders.open(numbers(0, 30), numbers(100, 1000)).size(), 30);
    }

    @Test
    public void executesLittle() {
        assertEquals(Orders.open(numbers(0, 30), new HashSet<>(numbers(100, 1000))).size(), 30);
    }

    @Test
    @AllocatesAtMost(objects = 10)
    public void allocatesMuch() {
        assertEquals(numbers(1000, 100).size(), 100);
    }

    @Test
    @CallsAtMost(method = "java.util.Collection.contains", times = 29)
    public void callsOften() {
        Orders.open(numbers(0, 30), new HashSet<>(numbers(100, 100)));
    }

    @Test
    public void throwsItself() {
        Orders.open(numbers(0, 30), numbers(100, 1000));
        assertTrue(false, "meant");
    }

    @DataProvider
    public Object[][] sizes() {
        return new Object[][] {{3}, {30}};
    }

    @Test(dataProvider = "sizes")
    public void executesMuchOnce(int size) {
        Orders.open(numbers(0, size), numbers(100, 1000));
    }

    @Test
    @ExecutesAtMost(bytecodes = 10_000_000)
    public void mayExecuteMuch() {
        Orders.open(numbers(0, 30), numbers(100, 1000));
    }
}
