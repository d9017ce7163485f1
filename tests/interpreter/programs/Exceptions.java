/** Values that travel around handlers, and exceptions as objects. */
class Exceptions {
    int value = 3;
    Object last;

    static class Failure extends RuntimeException {
        final Object cause;
        int code;

        Failure(Object cause, int code) {
            super("failed", null, false, false);
            this.cause = cause;
            this.code = code;
        }
    }

    int risky(int[] array, int at) {
        int kept = value;
        try {
            kept = array[at];
            if (at == 1) throw new Failure(this, kept);
            value = kept;
        } catch (ArrayIndexOutOfBoundsException e) {
            last = e;
            value = kept;
        } catch (Failure e) {
            last = e.cause;
            value = e.code;
        } finally {
            array[0] = value;
        }
        return kept;
    }

    static Object rethrown(Object o) {
        try {
            try {
                throw new Failure(o, 1);
            } finally {
                o = new Object();
            }
        } catch (Failure f) {
            return f.cause;
        }
    }

    public static void main(String[] args) {
        Exceptions e = new Exceptions();
        int[] array = {5, 6, 7};
        int sum = 0;
        for (int i = 0; i < 5; i++) {
            sum += e.risky(array, i);
        }
        try {
            Object none = args.length > 100 ? e : null;
            none.hashCode();
        } catch (NullPointerException n) {
            e.last = n;
        }
        try {
            sum /= array[0] - array[0];
        } catch (ArithmeticException a) {
            sum++;
        }
        System.out.println(sum + " " + (rethrown(e) == e));
    }
}
