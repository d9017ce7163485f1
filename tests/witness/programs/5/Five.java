import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Compiled for Java 5: generics, enums and varargs, but no stack maps, and verified by inference. */
public class Five {
    enum Suit { CLUBS, HEARTS }

    static <T extends Comparable<T>> T max(List<T> list) {
        Iterator<T> items = list.iterator();
        T max = items.next();
        while (items.hasNext()) {
            T item = items.next();
            if (item.compareTo(max) > 0) {
                max = item;
            }
        }
        return max;
    }

    static int sum(int... numbers) {
        int sum = 0;
        for (int n : numbers) {
            sum += n;
        }
        return sum;
    }

    static int guarded(int n) {
        try {
            synchronized (Five.class) {
                if (n == 2) {
                    throw new IllegalStateException();
                }
                return 10 / n;
            }
        } catch (ArithmeticException e) {
            return -1;
        } finally {
            sum(n);
        }
    }

    public static void main(String[] args) {
        List<Integer> list = new ArrayList<Integer>();
        for (int i = 0; i < 10; i++) {
            list.add(i * 7 % 10);
        }
        System.out.println(max(list) + sum(1, 2, 3) + sum());
        for (Suit suit : Suit.values()) {
            switch (suit) {
                case CLUBS:
                    System.out.println("clubs " + suit.compareTo(Suit.HEARTS));
                    break;
                default:
                    System.out.println(suit);
            }
        }
        for (int n = 0; n < 4; n++) {
            try {
                System.out.println(guarded(n));
            } catch (IllegalStateException e) {
                System.out.println("two");
            }
        }
    }
}
