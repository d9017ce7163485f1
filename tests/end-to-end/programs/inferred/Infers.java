/**
 * Variables that share a slot and refer to different classes, one of which is not there when this
 * runs. Code is compiled as for old class files: no concatenation, no lambdas, nothing nested.
 */
public final class Infers {
    private Infers() {
    }

    public static void main(String[] arguments) {
        for (int n = 0; n < 6; n++) {
            System.out.println(inBlocks(n));
            System.out.println(inHandlers(n));
            System.out.println(inSubclass(n));
        }
    }

    static int inBlocks(int n) {
        if (n == 1) {
            Present present = new Present();
            return present.next(n);
        }
        if (n == 100) {
            Absent absent = new Absent();
            return absent.next(n);
        }
        Another another = new Another();
        return another.next(n);
    }

    static int inHandlers(int n) {
        int total = 0;
        try {
            if (n == 2) {
                Present present = new Present();
                total += present.next(n);
            } else if (n == 200) {
                Absent absent = new Absent();
                total += absent.next(n);
            }
            Another another = new Another();
            total += another.next(n) / (n - 3);
        } catch (ArithmeticException zero) {
            String message = zero.getMessage();
            total += message.length();
        } finally {
            Object last = Integer.valueOf(total);
            total += last.hashCode();
        }
        return total;
    }

    static int neverCalled(int n) {
        try {
            Absent absent = new Absent();
            return absent.next(n);
        } catch (IllegalStateException state) {
            throw new RuntimeException(state);
        }
    }

    static int inSubclass(int n) {
        return new Derived(n).value;
    }
}

class Base {
    final int value;

    Base(Object first, Object second) {
        value = first.hashCode() + second.hashCode();
    }
}

class Derived extends Base {
    Derived(int n) {
        super(n < 50 ? new Present().boxed(n) : new Another().boxed(n), Integer.valueOf(n));
        if (n > 50) {
            Another another = new Another();
            another.next(n);
        } else {
            Present present = new Present();
            present.next(n);
        }
    }
}

class Present {
    int next(int n) {
        return n + 1;
    }

    Object boxed(int n) {
        return Integer.valueOf(n);
    }
}

class Another {
    int next(int n) {
        return n + 2;
    }

    Object boxed(int n) {
        return Integer.valueOf(n);
    }
}

class Absent {
    int next(int n) {
        return n + 3;
    }
}
