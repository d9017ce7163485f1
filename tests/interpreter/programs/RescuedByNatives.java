/**
 * Native code clears what a constructor of a superclass throws: the next method is called in the
 * context of the native's caller, not in that of the object that was given up.
 */
class RescuedByNatives {
    static class Base {
        Object o;

        Base(Object o) {
            if (o == null) {
                throw new IllegalStateException();
            }
            this.o = o;
        }
    }

    static class Made extends Base {
        Made(Object o) {
            super(o);
        }
    }

    /** Left out, so it leaves the context as it finds it. */
    static class X implements Sink {
        public Object pass(Object o) {
            return new Made(o).o;
        }
    }

    static class Counting implements Sink {
        int passed;

        public Object pass(Object o) {
            passed = triple(passed + 1);
            return this;
        }
    }

    static int triple(int number) {
        return number * 3;
    }

    Object o;
    int sum;

    void run() {
        o = Back.attempt(Made.class, "made");
        sum = triple(1);
        o = Back.attempt(Made.class, null);
        sum += triple(sum);
        Counting counting = new Counting();
        o = Back.attempt(new X(), counting, this);
        sum += triple(sum);
        o = Back.attempt(new X(), counting, null);
        sum += triple(counting.passed);
        sum = new int[triple(sum)].length;
    }

    public static void main(String[] args) {
        RescuedByNatives it = new RescuedByNatives();
        it.run();
        System.out.println(it.sum);
    }
}
