package shop;

/** Adds up prices. */
public final class Till {
    private long sum;

    void add(long price) {
        sum += price;
    }

    long total() {
        return sum;
    }

    public static void main(String[] prices) {
        Till till = new Till();
        for (String price : prices) {
            till.add(Long.parseLong(price));
        }
        System.out.println("total " + till.total());
    }
}
