/** Exceptions out of constructors, also while they initialise their object. */
class FailingConstructors {
    static int n;

    static class A {
        int i;

        A(int p) {
            i = p;
            if (p < 4) {
                try {
                    A a = new A(p + 1);
                    a.set(3);
                } catch (ArithmeticException e) {
                    n = 8;
                    after(1);
                }
            }
            set(2);
            after(i / (p & 1));
        }

        void set(int k) {
            i = k;
            after(i + k);
        }
    }

    static class B extends A {
        B(int p) {
            super(after(p));
            after(p + 2);
            try {
                set(i / (p & 1));
            } catch (ArithmeticException e) {
                after(6);
            }
        }
    }

    static int after(int x) {
        n = x + 1;
        return n * 2;
    }

    public static void main(String[] args) {
        for (int k = 0; k < 4; k++) {
            try { new A(k).set(7); } catch (ArithmeticException e) { after(9); }
            try { new B(k).set(7); } catch (ArithmeticException e) { after(9); }
            n = after(3);
        }
        System.out.println(n);
    }
}
