import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Loops that are left in all ways. Each outer loop reads the same numbers in each iteration, so
 * that it is reported, with the number of its iterations.
 */
public class Exits {
    private final int[] numbers = new int[30];
    private int sum;
    private int depth;

    public static void main(String[] arguments) {
        Exits exits = new Exits();
        for (int i = 0; i < exits.numbers.length; i++) {
            exits.numbers[i] = 7 * i;
        }
        exits.plain();
        exits.doWhile();
        exits.labelledContinue();
        exits.labelledBreak();
        exits.caughtWithin();
        exits.caughtOutside();
        exits.returned();
        exits.thrownFromBelow();
        exits.thrownByTheJdk();
        exits.finallyRuns();
        exits.locked();
        exits.recursive(3);
        exits.around();
        exits.switched();
        exits.overflowing();
        exits.inConstructors();
        exits.inInitialisers();
        System.out.println(exits.sum);
    }

    /** 20 iterations and the last look at the condition. */
    private void plain() {
        for (int i = 0; i < 20; i++) {
            for (int number : numbers) {
                sum += number;
            }
        }
    }

    /** 20 iterations. */
    private void doWhile() {
        int i = 0;
        do {
            for (int number : numbers) {
                sum += number;
            }
        } while (++i < 20);
    }

    /** 22 + 1. */
    private void labelledContinue() {
        outer:
        for (int i = 0; i < 22; i++) {
            for (int k = 0; k < numbers.length; k++) {
                for (int l = 0; l < 2; l++) {
                    sum += numbers[k];
                    if (k == 25) {
                        continue outer;
                    }
                }
            }
        }
    }

    /** 18, as the last one is left in its midst; then another loop of 17 + 1. */
    private void labelledBreak() {
        outer:
        for (int i = 0; i < 22; i++) {
            for (int k = 0; k < numbers.length; k++) {
                sum += numbers[k];
                if (i == 17 && k == 20) {
                    break outer;
                }
            }
        }
        for (int i = 0; i < 17; i++) {
            for (int number : numbers) {
                sum += number;
            }
        }
    }

    /** 23 + 1. */
    private void caughtWithin() {
        for (int i = 0; i < 23; i++) {
            try {
                for (int k = 0; ; k++) {
                    sum += numbers[k];
                }
            } catch (ArrayIndexOutOfBoundsException expected) {
                sum++;
            }
            sum += numbers[0];
        }
    }

    /** 16 iterations, the last of which throws; and then 24 + 1. */
    private void caughtOutside() {
        try {
            for (int i = 0; ; i++) {
                for (int k = 0; k < numbers.length; k++) {
                    sum += numbers[k + (i == 15 ? 1 : 0)];
                }
            }
        } catch (ArrayIndexOutOfBoundsException expected) {
            sum++;
        }
        for (int i = 0; i < 24; i++) {
            for (int number : numbers) {
                sum += number;
            }
        }
    }

    /** 25 + 1. */
    private void returned() {
        for (int i = 0; i < 25; i++) {
            sum += find(7 * 21);
        }
    }

    private int find(int wanted) {
        for (int i = 0; i < 2; i++) {
            for (int k = 0; k < numbers.length; k++) {
                if (numbers[k] == wanted) {
                    return k;
                }
            }
        }
        return -1;
    }

    /** 26 + 1. */
    private void thrownFromBelow() {
        for (int i = 0; i < 26; i++) {
            try {
                passOn();
            } catch (IllegalStateException expected) {
                sum++;
            }
        }
    }

    /** It has no loop, and no handler. */
    private void passOn() {
        fail();
        sum++;
    }

    private void fail() {
        for (int i = 0; i < 3; i++) {
            for (int number : numbers) {
                if (number == 7 * 28) {
                    throw new IllegalStateException();
                }
                sum += number;
            }
        }
    }

    /** 27 + 1. */
    private void thrownByTheJdk() {
        List<Integer> list = new ArrayList<>();
        for (int number : numbers) {
            list.add(number);
        }
        for (int i = 0; i < 27; i++) {
            Iterator<Integer> iterator = list.iterator();
            try {
                while (true) {
                    sum += iterator.next();
                }
            } catch (NoSuchElementException expected) {
                sum++;
            }
        }
    }

    /** 28 + 1. */
    private void finallyRuns() {
        for (int i = 0; i < 28; i++) {
            try {
                for (int k = 0; k < numbers.length; k++) {
                    if (k == 27) {
                        break;
                    }
                    sum += numbers[k];
                }
            } finally {
                for (int k = 0; k < 3; k++) {
                    sum += k;
                }
            }
        }
    }

    /** 29 + 1. */
    private void locked() {
        for (int i = 0; i < 29; i++) {
            try {
                for (int k = 0; k < 2; k++) {
                    synchronized (this) {
                        for (int l = 0; ; l++) {
                            sum += numbers[l];
                        }
                    }
                }
            } catch (ArrayIndexOutOfBoundsException expected) {
                sum++;
            }
        }
    }

    /** 11 + 1 in each of three activations, one within the other. */
    private void recursive(int left) {
        for (int i = 0; i < 11; i++) {
            for (int number : numbers) {
                sum += number;
            }
            if (i == 5 && left > 1) {
                recursive(left - 1);
            }
        }
    }

    /** 31 + 1, and the calls within have nothing to do with it. */
    private void around() {
        for (int i = 0; i < 31; i++) {
            countDown(i % 3);
            for (int number : numbers) {
                sum += number;
            }
        }
    }

    private void countDown(int from) {
        while (from > 0) {
            from--;
        }
        if (depth < 2) {
            depth++;
            countDown(2);
            depth--;
        }
    }

    /** 32: the loop is left from a switch. */
    private void switched() {
        int state = 0;
        while (true) {
            for (int number : numbers) {
                sum += number;
            }
            switch (state++) {
                case 31:
                    return;
                case 7:
                    continue;
                default:
                    break;
            }
        }
    }

    /** 33 + 1. The stack runs over somewhere in loops of other calls. */
    private void overflowing() {
        for (int i = 0; i < 33; i++) {
            if (i % 16 == 3) {
                try {
                    endless();
                } catch (StackOverflowError expected) {
                    sum++;
                }
            }
            for (int number : numbers) {
                sum += number;
            }
        }
    }

    private void endless() {
        for (int i = 0; i < 2; i++) {
            endless();
        }
    }

    /** 34 + 1. */
    private void inConstructors() {
        for (int i = 0; i < 34; i++) {
            sum += new Inner(numbers).found;
        }
    }

    static class Outer {
        final int found;

        Outer(int found) {
            this.found = found;
        }
    }

    static class Inner extends Outer {
        Inner(int[] numbers) {
            super(last(numbers));
            for (int number : numbers) {
                if (number > found) {
                    break;
                }
            }
        }

        static int last(int[] numbers) {
            int last = 0;
            for (int number : numbers) {
                last = Math.max(last, number);
            }
            return last;
        }
    }

    /** 35 + 1, without what the initialiser does in one of them. */
    private void inInitialisers() {
        for (int i = 0; i < 35; i++) {
            if (i == 20) {
                sum += Initialised.SUM;
            }
            for (int number : numbers) {
                sum += number;
            }
        }
    }

    static class Initialised {
        static final int SUM;

        static {
            int[] own = new int[40];
            int sum = 0;
            for (int i = 0; i < own.length; i++) {
                own[i] = i;
            }
            for (int i = 0; i < 36; i++) {
                for (int number : own) {
                    sum += number;
                }
                sum += of(own);
            }
            SUM = sum;
        }

        private static int of(int[] own) {
            int sum = 0;
            for (int i = 0; i < 12; i++) {
                for (int number : own) {
                    sum += number;
                }
            }
            return sum;
        }
    }
}
