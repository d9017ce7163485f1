/** A program short enough to count its calls, bytecodes and objects by hand. */
public final class HandCounted {
    static int total;

    public static void main(String[] args) {
        total = loop(10);
        total += choose(0) + choose(1) + choose(7);
        total += new Cell(3).add(4);
        total += Lazy.value;
        total += explicit(2) + explicit(-2);
        total += implicit(new int[3], 2) + implicit(new int[3], 3);
        total += cleanUp(1) + cleanUp(0);
    }

    /** A loop with a branch in its body. */
    static int loop(int rounds) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            if (i % 2 == 0) {
                sum += i;
            }
        }
        return sum;
    }

    /** A switch with two cases and a default. */
    static int choose(int key) {
        switch (key) {
            case 0:
                return 10;
            case 1:
                return leaf(leaf(key));
            default:
                return key;
        }
    }

    static int leaf(int value) {
        return value + 1;
    }

    /** An exception that the program throws in a callee. */
    static int explicit(int value) {
        try {
            return positive(value);
        } catch (IllegalArgumentException refused) {
            return 0;
        }
    }

    static int positive(int value) {
        if (value < 0) {
            throw new IllegalArgumentException();
        }
        return value;
    }

    /** An exception that the JVM throws in the middle of a basic block. */
    static int implicit(int[] values, int index) {
        int result = 1;
        try {
            values[index] = 5;
            result = 2;
        } catch (ArrayIndexOutOfBoundsException refused) {
            result += 3;
        }
        return result;
    }

    /** A finally block that is left by a return and by an exception. */
    static int cleanUp(int divisor) {
        try {
            return divide(divisor);
        } catch (ArithmeticException refused) {
            return -1;
        } finally {
            total++;
        }
    }

    static int divide(int divisor) {
        return 6 / divisor + 1;
    }

    /** A class whose constructors call each other. */
    static class Base {
        final int base;

        Base(int base) {
            this.base = base;
        }
    }

    /** Its subclass, with a constructor that delegates to another of its own. */
    static final class Cell extends Base {
        final int[] values;

        Cell(int base) {
            this(base, 2);
        }

        Cell(int base, int length) {
            super(base);
            values = new int[length];
        }

        int add(int value) {
            return base + value + values.length;
        }
    }

    /** A class whose initialiser runs when main reads its field. */
    static final class Lazy {
        static int value;

        static {
            value = leaf(41);
        }
    }
}
