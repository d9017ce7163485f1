import java.util.Random;

/** Lists each order once, for more and more orders, by a search for each in those before. */
public final class ListsOrders {
    public static void main(String[] args) {
        Random random = new Random(7);
        int listed = 0;
        for (int count = 25; count <= 400; count *= 2) {
            int[] orders = new int[count];
            for (int i = 0; i < count; i++) {
                orders[i] = random.nextInt(1_000_000);
            }
            listed += once(orders);
        }
        System.out.println(listed);
    }

    private static int once(int[] orders) {
        int listed = 0;
        for (int i = 0; i < orders.length; i++) {
            if (isFirst(orders, i)) {
                listed++;
            }
        }
        return listed;
    }

    private static boolean isFirst(int[] orders, int at) {
        for (int before = 0; before < at; before++) {
            if (orders[before] == orders[at]) {
                return false;
            }
        }
        return true;
    }
}
