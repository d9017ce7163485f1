import java.util.ArrayList;
import java.util.List;

/** Is stepped through by Debugs. */
public final class Debugged {
    private final int size;

    Debugged(int size) {
        this.size = size;
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += work(i, "text" + i);
        }
        List<Integer> numbers = new ArrayList<>();
        numbers.add(sum);
        numbers.forEach(number -> {
            int doubled = number * 2;
            System.out.println("doubled " + doubled);
        });
        System.out.println("sum " + sum + " " + new Debugged(sum).size);
    }

    private static int work(int number, String text) {
        int length = text.length();
        try {
            length += 10 / number;
        } catch (ArithmeticException zero) {
            length += 100;
        } finally {
            length++;
        }
        long product = 3L * length;
        return (int) product;
    }
}
