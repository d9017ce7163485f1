/**
 * Code that is not followed catches what a constructor of a superclass throws: the next method
 * is called in the context of its caller, not in that of the object that was given up.
 */
class RunawayConstructors {
    static class Base {
        int number;

        Base(int number) {
            this.number = number;
            if (number > 1) {
                throw new IllegalStateException();
            }
        }
    }

    static class Made extends Base {
        Made(int number) {
            super(number);
        }
    }

    /** Left out. */
    static class X {
        static int make(int number) {
            try {
                return new Made(number).number;
            } catch (IllegalStateException e) {
                return triple(number);
            }
        }
    }

    static int triple(int number) {
        return number * 3;
    }

    int sum;

    void run() {
        sum = X.make(1) + triple(2);
        sum += X.make(2) + triple(sum);
        sum = new int[triple(sum)].length;
    }

    public static void main(String[] args) {
        RunawayConstructors it = new RunawayConstructors();
        it.run();
        System.out.println(it.sum);
    }
}
