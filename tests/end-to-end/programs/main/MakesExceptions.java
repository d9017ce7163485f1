import java.util.List;

/** Makes exceptions in all ways, and says how many each method made. */
public final class MakesExceptions {
    private static final class SoldOut extends Exception {
        SoldOut(String what) {
            super(what, new IllegalStateException("stock"));
        }
    }

    private static final class Light extends RuntimeException {
        Light() {
            super("no trace", null, false, false);
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 1_000; i++) {
            sell();
            light();
            nothing(i % 2 == 0 ? null : "x");
            outside(new int[3], i % 4);
            again();
        }
        List.of(1, 2, 3).forEach(MakesExceptions::inLambda);
        // A constructor of SoldOut makes a cause, which counts for who calls it.
        System.out.println("sell 2000, light 1000, nothing 500, outside 250, again 1000, inLambda 3");
    }

    private static void sell() {
        try {
            throw new SoldOut("pears");
        } catch (SoldOut e) {
            // Tried with something else.
        }
    }

    private static void light() {
        try {
            throw new Light();
        } catch (Light e) {
            // It has no stack trace, but is an exception.
        }
    }

    private static void nothing(String text) {
        try {
            text.length();
        } catch (NullPointerException e) {
            // The JVM makes it.
        }
    }

    private static void outside(int[] numbers, int at) {
        try {
            numbers[at]++;
        } catch (ArrayIndexOutOfBoundsException e) {
            // The JVM makes it, too.
        }
    }

    private static void again() {
        try {
            try {
                throw new IllegalArgumentException();
            } catch (IllegalArgumentException e) {
                throw e;
            }
        } catch (IllegalArgumentException e) {
            // The same one twice.
        }
    }

    private static void inLambda(int number) {
        new Error("never thrown " + number);
    }
}
