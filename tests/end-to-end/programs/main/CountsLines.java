/** Each line says how often it is executed: its most executed instruction counts. */
public final class CountsLines {
    private static int sum; // never: it has no instructions
    private static final Object LOCK = new Object(); // 1

    public static void main(String[] args) {
        for (int i = 0; i < 10; i++) { // 11
            sum += i; // 10
            if (i % 2 == 0) { // 10
                sum += accessor(i); // 5
            }
        }
        for (int i = 0; i < 7; i++) { // 8
            sum += caught(i); // 7
            sum += nested(i % 3, i); // 7
        }
        int late = 0; // 1
        do {
            late++; // 100,000
        } while (late < 100_000); // 100,000
        sum += new Child(late).value(); // 1
        for (int i = 0; i < 4; i++) { // 5
            try {
                new Child(-i); // 4
                sum++; // 1
            } catch (IllegalStateException negative) { // 3
                sum += 2; // 3
            } // 1
        }
        System.out.println(sum + " " + locked(new int[3]) + " " + recursive(6)); // 1
    } // 1

    static int accessor(int i) {
        return i; // 5
    }

    /** Throws in the midst of a block for every third. */
    static int caught(int i) {
        int[] numbers = {1, 2, 3}; // 7
        try {
            int index = i % 3 == 2 ? 3 : i % 3; // 7
            int first = numbers[0]; // 7
            int found = numbers[index]; // 7
            int more = numbers[1]; // 5
            return first + found + more; // 5
        } catch (ArrayIndexOutOfBoundsException outside) { // 2
            return -1; // 2
        } finally {
            sum++; // 5, of the copy behind the return, which is executed more often
        }
    }

    /** The exception comes from a callee, and leaves by way of two handlers. */
    static int nested(int which, int i) {
        try {
            try {
                int before = i * 2; // 7
                thrower(which); // 7
                return before; // 3
            } catch (IllegalArgumentException wrong) { // 2
                throw new IllegalStateException(wrong); // 2
            }
        } catch (IllegalStateException state) { // 4
            return 10; // 4
        }
    }

    static void thrower(int which) {
        switch (which) { // 7
            case 1:
                throw new IllegalArgumentException(); // 2
            case 2:
                throw new IllegalStateException(); // 2
            default:
                return; // 3
        }
    }

    static int locked(int[] numbers) {
        int done = 0; // 1
        for (int i = 0; ; i++) { // 3
            try {
                synchronized (LOCK) { // 4
                    done++; // 4
                    numbers[i] = done; // 4
                    done += numbers[i]; // 3
                } // 3
            } catch (ArrayIndexOutOfBoundsException end) { // 1
                return done; // 1
            } // 3
        }
    }

    static long recursive(int n) {
        if (n < 2) { // 25
            return n; // 13
        }
        return recursive(n - 1) + recursive(n - 2); // 12
    }

    private static class Parent {
        final int value; // never

        Parent(int value) { // 5
            this.value = value; // 5
            if (value < 0) { // 5
                throw new IllegalStateException(); // 3
            }
        } // 2

        int value() {
            return value; // 1
        }
    }

    private static final class Child extends Parent {
        private int more; // never

        Child(int value) {
            super(value * 2 / 2); // 5
            more = value; // 2
            more++; // 2
        } // 2
    }
}
