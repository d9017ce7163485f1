package shop;

/** Adds up prices. */
public final class Bill {
    private long total;

    void add(long price) {
        total += price;
    }

    long total() {
        return total;
    }

    public static void main(String[] prices) {
        Bill bill = new Bill();
        for (String price : prices) {
            bill.add(Long.parseLong(price));
        }
        System.out.println("total " + bill.total());
    }
}
