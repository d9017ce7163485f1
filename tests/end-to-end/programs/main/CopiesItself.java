import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Texts and arrays that grow by copying themselves, and others that are copied for a reason. */
class CopiesItself {
    private static final int STEPS = 1_000;
    private static final String[] WORDS = {"a", "green", "house", "on", "the", "hill"};
    private static final String PREFIX = "prefix ".repeat(50);

    private String log = "";

    public static void main(String[] arguments) {
        long total = 0;
        for (int round = 0; round < 4; round++) {
            total += added() + lines() + numbers() + rebuilt() + concatenated();
            total += enlarged() + byHand() + onWrite() + new CopiesItself().logged();
            total += prefixed() + appended() + collected() + copied();
        }
        System.out.println(total);
    }

    private static int added() {
        String text = "";
        for (int i = 0; i < STEPS; i++) {
            text += WORDS[i % WORDS.length]; // grows
        }
        return text.length();
    }

    private static int lines() {
        String text = "";
        for (int i = 0; i < STEPS; i++) {
            text = text + WORDS[i % WORDS.length] + "\n"; // grows
        }
        return text.length();
    }

    private static int numbers() {
        String text = "";
        for (int i = 0; i < STEPS; i++) {
            text += i; // grows
        }
        return text.length();
    }

    private static int rebuilt() {
        String text = "";
        for (int i = 0; i < STEPS; i++) {
            text = new StringBuilder(text).append(WORDS[i % WORDS.length]).toString(); // grows
        }
        return text.length();
    }

    private static int concatenated() {
        String text = "";
        for (int i = 0; i < STEPS; i++) {
            text = text.concat(WORDS[i % WORDS.length]); // grows
        }
        return text.length();
    }

    private static int enlarged() {
        int[] numbers = new int[0];
        for (int i = 0; i < STEPS; i++) {
            numbers = Arrays.copyOf(numbers, numbers.length + 1); // grows
            numbers[i] = i;
        }
        return numbers.length;
    }

    private static int byHand() {
        int[] numbers = new int[0];
        for (int i = 0; i < STEPS; i++) {
            int[] longer = new int[numbers.length + 1];
            System.arraycopy(numbers, 0, longer, 0, numbers.length); // grows
            longer[i] = i;
            numbers = longer;
        }
        return numbers.length;
    }

    private static int onWrite() {
        List<String> words = new CopyOnWriteArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            words.add(WORDS[i % WORDS.length]); // grows
        }
        return words.size();
    }

    private int logged() {
        for (int i = 0; i < STEPS; i++) {
            log(WORDS[i % WORDS.length]);
        }
        return log.length();
    }

    private void log(String word) {
        log += word; // grows
    }

    /** The same long beginning in each text. */
    private static int prefixed() {
        int length = 0;
        for (int i = 0; i < STEPS; i++) {
            length += (PREFIX + WORDS[i % WORDS.length]).length();
        }
        return length;
    }

    private static int appended() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 50 * STEPS; i++) {
            text.append(WORDS[i % WORDS.length]);
        }
        return text.toString().length();
    }

    private static int collected() {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 50 * STEPS; i++) {
            numbers.add(i % 100);
        }
        return numbers.size();
    }

    /** Copies of one length. */
    private static int copied() {
        int[] numbers = new int[200];
        int sum = 0;
        for (int i = 0; i < STEPS; i++) {
            int[] copy = Arrays.copyOf(numbers, numbers.length);
            copy[i % copy.length] = i;
            sum += copy[i % 7];
        }
        return sum;
    }
}
