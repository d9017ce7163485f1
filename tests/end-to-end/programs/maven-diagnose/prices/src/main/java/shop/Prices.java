package shop;

/** Prices with tax. */
public final class Prices {
    private Prices() {}

    /** Asks for the rate of a country again with each price. */
    public static long withTax(int count) {
        long sum = 0;
        for (int price = 0; price < count; price++) {
            sum += price * rate(price % 3);
        }
        return sum;
    }

    /** The same for a country whenever it is asked. */
    static long rate(int country) {
        long rate = country;
        for (int step = 0; step < 200; step++) {
            rate = mixed(rate, step);
        }
        return rate % 100;
    }

    private static long mixed(long rate, int step) {
        return Math.abs(rate * 31 + step) % 10007;
    }
}
