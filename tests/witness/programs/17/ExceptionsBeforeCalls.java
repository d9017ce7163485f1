import java.util.function.IntSupplier;

/** Exceptions that the JVM makes in methods that call nothing, or nothing yet. */
public class ExceptionsBeforeCalls {
    int value;
    ExceptionsBeforeCalls next;
    static int handled;

    ExceptionsBeforeCalls(int value, ExceptionsBeforeCalls next) {
        this.value = value;
        this.next = next;
    }

    /** Reads a field before it makes its object. */
    static class Derived extends ExceptionsBeforeCalls {
        Derived(ExceptionsBeforeCalls other) {
            super(other.value, other);
        }

        Derived(int[] of, int at) {
            this(of[at] > 0 ? null : new ExceptionsBeforeCalls(of[at], null));
        }
    }

    // Nothing is called.

    static int field(ExceptionsBeforeCalls object) {
        return object.value + 1;
    }

    static int fieldOfField(ExceptionsBeforeCalls object) {
        return object.next.value + object.next.next.value;
    }

    static int element(int[] array, int index) {
        return array[index] * 2;
    }

    static int length(Object[] array) {
        return array.length;
    }

    static void store(Object[] array, Object value) {
        array[0] = value;
        handled += 3;
    }

    static int divide(int left, int right) {
        return left / right + left % 7;
    }

    static int[] make(int length) {
        return new int[length];
    }

    static Throwable rethrow(Throwable thrown) throws Throwable {
        throw thrown;
    }

    static ExceptionsBeforeCalls cast(Object object) {
        return (ExceptionsBeforeCalls) object;
    }

    static Class<?> classOf(Object object) {
        return object.getClass();
    }

    static void move(Object from, int at) {
        System.arraycopy(from, at, from, 0, 2);
    }

    static int locks(Object lock) {
        synchronized (lock) {
            return 1;
        }
    }

    static int sums(int[] array, int until) {
        int sum = 0;
        for (int i = 0; i < until; i++) {
            sum += array[i] > 2 ? array[i] / (array[i] - 5) : 1;
        }
        return sum;
    }

    // Something is called on some ways.

    static int early(int[] array, int index) {
        if (array[index] < 3) {
            return array[index];
        }
        int more = element(array, index - 1);
        return more + array[more];
    }

    static int either(int[] array, int index) {
        int sum = 0;
        if (index % 2 == 0) {
            sum += element(array, index);
        }
        sum += array[index + 1];
        return sum;
    }

    static int inLoop(int[] array) {
        int sum = 0;
        for (int i = 0; ; i++) {
            sum += array[i];
            if (i > 2) {
                sum += element(array, i - 1);
            }
        }
    }

    static int down(int[] array, int depth) {
        int here = array[depth];
        if (depth == 0) {
            return here / (here - 1);
        }
        int below = down(array, depth - 1);
        return below + array[here + depth];
    }

    int self(int depth) {
        if (depth > 0 && next != null) {
            return next.self(depth - 1) + next.next.value;
        }
        return value + next.value;
    }

    // Exceptions are caught where they are made, and others follow.

    static int catches(int[] array, Object object) {
        int sum = 0;
        try {
            sum += array[4];
        } catch (ArrayIndexOutOfBoundsException e) {
            sum += 100;
        } catch (NullPointerException e) {
            sum += 200;
        }
        try {
            sum += ((ExceptionsBeforeCalls) object).value;
        } catch (RuntimeException e) {
            sum += 1000;
        } finally {
            sum += 10000 / sum;
        }
        return sum + array[sum];
    }

    static int catchesAll(int[] array) {
        try {
            return array[7];
        } finally {
            handled++;
        }
    }

    static int callsInHandler(int[] array, int index) {
        try {
            return array[index] / index;
        } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) {
            return element(array, index + 1) + array[index + 2];
        }
    }

    // Made by the program.

    static void thrown(int kind) {
        switch (kind) {
            case 0: throw new NullPointerException();
            case 1: throw new NullPointerException("of the program");
            case 2: throw new ArrayIndexOutOfBoundsException(3);
            case 3: throw new ArithmeticException();
            case 4: throw new Own(new int[kind][0].length);
            case 5: throw new ClassCastException("own");
            default: throw new NegativeArraySizeException();
        }
    }

    static class Own extends NullPointerException {
        private static final long serialVersionUID = 1;
        int length;

        Own(int length) {
            super(String.valueOf(length / length));
            this.length = length;
        }
    }

    static class Holder {
        static final int[] NUMBERS = {1, 2};
        static int last = NUMBERS[1] / NUMBERS[0];
    }

    static class Broken {
        static final int[] NUMBERS = null;
        static int last = NUMBERS[1];
    }

    static class NeverSeen extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    static int holds(int index) {
        return Holder.NUMBERS[index] + Holder.last;
    }

    static int breaks(int[] numbers) {
        return numbers[0] + Broken.last;
    }

    static int unseen(int[] array) {
        try {
            return array[9];
        } catch (NeverSeen e) {
            return 1;
        } catch (IndexOutOfBoundsException e) {
            return 2 + array[10];
        }
    }

    interface Body {
        Object run() throws Throwable;
    }

    static String attempt(Body body) {
        try {
            return String.valueOf(body.run());
        } catch (Throwable e) {
            handled++;
            return e.getClass().getSimpleName();
        }
    }

    static void all(int round) {
        ExceptionsBeforeCalls last = new ExceptionsBeforeCalls(1, null);
        ExceptionsBeforeCalls first = new ExceptionsBeforeCalls(2, new ExceptionsBeforeCalls(3, last));
        int[] array = {1, 2, 3, 4, 5, round};
        Object[] objects = round % 2 == 0 ? new Object[1] : new Integer[1];
        IntSupplier inLambda = () -> array[round] / (round - 3);
        StringBuilder text = new StringBuilder();
        text.append(attempt(() -> field(round == 1 ? null : first)));
        text.append(' ').append(attempt(() -> fieldOfField(round == 1 ? last : first)));
        text.append(' ').append(attempt(() -> element(array, round * 3)));
        text.append(' ').append(attempt(() -> length(round == 2 ? null : objects)));
        text.append(' ').append(attempt(() -> {
            store(objects, "text");
            return handled;
        }));
        text.append(' ').append(attempt(() -> divide(round, round - 1)));
        text.append(' ').append(attempt(() -> make(1 - round).length));
        text.append(' ').append(attempt(() -> rethrow(round == 0 ? null : new Exception())));
        text.append(' ').append(attempt(() -> cast(round == 0 ? first : "text").value));
        text.append(' ').append(attempt(() -> classOf(round == 2 ? first : array)));
        text.append(' ').append(attempt(() -> {
            move(round == 0 ? array : round == 1 ? "text" : null, round);
            return 1;
        }));
        text.append(' ').append(attempt(() -> {
            move(array, 4 + round);
            return 1;
        }));
        text.append(' ').append(attempt(() -> locks(round == 1 ? null : array)));
        text.append(' ').append(attempt(() -> sums(array, 5 + round)));
        for (int i = 0; i < 7; i++) {
            int index = i;
            text.append(' ').append(attempt(() -> early(array, index)));
            text.append(' ').append(attempt(() -> either(array, index)));
            text.append(' ').append(attempt(() -> down(array, index)));
            text.append(' ').append(attempt(() -> callsInHandler(array, index)));
            text.append(' ').append(attempt(() -> first.self(index)));
            text.append(' ').append(attempt(() -> {
                thrown(index);
                return 1;
            }));
        }
        text.append(' ').append(attempt(() -> inLoop(array)));
        text.append(' ').append(attempt(() -> catches(round == 0 ? null : array, round == 1 ? first : null)));
        text.append(' ').append(attempt(() -> catchesAll(array)));
        text.append(' ').append(attempt(() -> holds(round)));
        text.append(' ').append(attempt(() -> breaks(array)));
        text.append(' ').append(attempt(() -> unseen(array)));
        text.append(' ').append(attempt(() -> new Derived(round == 1 ? null : last).value));
        text.append(' ').append(attempt(() -> new Derived(array, round * 6).value));
        text.append(' ').append(attempt(inLambda::getAsInt));
        System.out.println(text);
    }

    public static void main(String[] args) {
        for (int round = 0; round < 4; round++) {
            all(round);
        }
        System.out.println(handled);
    }
}
