import java.util.function.IntUnaryOperator;

/** Has static and other fields, and calls that stay in the class. */
public final class Copied implements IntUnaryOperator {
    private static int made;
    private static final boolean FLAG = "flag".length() == 4;
    private final char letter = (char) ('a' + made++ % 26);
    private Object last;

    @Override public int applyAsInt(int value) {
        last = value % 2 == 0 ? (Object) letter : (Object) FLAG;
        return twice(value) + made;
    }

    private static int twice(int value) {
        return value * 2;
    }

    @Override public String toString() {
        return "copied " + letter + last;
    }
}
