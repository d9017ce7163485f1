package shop;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

public final class Orders {
    /** The orders that have not been cancelled. */
    public static List<Integer> open(List<Integer> orders, Collection<Integer> cancelled) {
        List<Integer> open = new ArrayList<>();
        for (Integer order : orders) {
            if (!cancelled.contains(order)) {
                open.add(order);
            }
        }
        return open;
    }

    /** Returns `count` numbers, from `first` on. */
    public static List<Integer> numbers(int first, int count) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(first + i);
        }
        return numbers;
    }

    /** Calls itself. */
    public static int fibonacci(int number) {
        return number < 2 ? number : fibonacci(number - 1) + fibonacci(number - 2);
    }
}
