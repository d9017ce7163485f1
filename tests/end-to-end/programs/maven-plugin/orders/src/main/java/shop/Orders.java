package shop;

/** Sums of numbers. */
public final class Orders {
    private Orders() {}

    public static long sum(int count) {
        long sum = 0;
        for (int number = 0; number < count; number++) {
            sum = plus(sum, number);
        }
        return sum;
    }

    static long plus(long sum, int number) {
        return sum + number;
    }
}
