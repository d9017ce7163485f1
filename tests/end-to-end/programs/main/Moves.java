import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Moves elements in every way that bytecodes do not show; how many was counted by hand. */
public class Moves {
    public static void main(String[] args) {
        int[] numbers = {1, 2, 3, 4, 5, 6, 7};
        copy(numbers, 5);
        copy(numbers, 0);
        tooFar(numbers);
        wrongType();
        clones(numbers, new int[3][1000]);
        fill(direct(), numbers.length);
        remove(new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)));
        System.out.println("moved");
    }

    private static void copy(int[] from, int length) {
        for (int i = 0; i < 3; i++) {
            System.arraycopy(from, 0, new int[length], 0, length);
        }
    }

    /** Moves nothing. */
    private static void tooFar(int[] from) {
        try {
            System.arraycopy(from, 0, new int[2], 0, 3);
        } catch (IndexOutOfBoundsException expected) {
            return;
        }
        throw new AssertionError();
    }

    /** Moves one element, and then none of the others. */
    private static void wrongType() {
        try {
            System.arraycopy(new Object[] {"text", 1, "more"}, 0, new String[3], 0, 3);
        } catch (ArrayStoreException expected) {
            return;
        }
        throw new AssertionError();
    }

    private static Object clones(int[] numbers, int[][] rows) {
        int[] copy = numbers.clone();
        // The rows themselves are not copied.
        return copy.length == 7 ? rows.clone() : copy;
    }

    private static ByteBuffer direct() {
        return ByteBuffer.allocateDirect(4096);
    }

    private static void fill(ByteBuffer direct, int length) {
        direct.put(new byte[100 * length]);
    }

    private static void remove(List<Integer> list) {
        while (list.size() > 5) {
            list.remove(0);
        }
    }
}
