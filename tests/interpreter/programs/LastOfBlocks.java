/** Exceptions out of the last instructions of basic blocks. */
class LastOfBlocks {
    static class A { Object held; int number; }
    static int n;

    static void store(A a) { if (n < 9) { a.held = "c"; } n = n + 1; }
    static void storeMade(int k, A a) { if (n < 9) { a.held = "c" + k; } n = n + 1; }
    static void storeArray(A a) { if (n < 9) { Object[] made = {a}; a.held = made; } n = n + 1; }
    static void load(A a) { n = n < 9 ? a.number : 2; }
    static void divide(int k) { n = n < 9 ? n / (2 - k) : k; }
    static void measure(int[] numbers) { n = n < 9 ? numbers.length : 3; }

    public static void main(String[] args) {
        A a = new A();
        int[] numbers = {1, 2};
        for (int k = 0; k < 4; k++) {
            A b = k == 2 ? null : a;
            try { store(b); } catch (NullPointerException e) { n = 5; }
            try { storeMade(k, b); } catch (NullPointerException e) { n = 5; }
            try { storeArray(b); } catch (NullPointerException e) { n = 5; }
            try { load(b); } catch (NullPointerException e) { n = 5; }
            try { divide(k); } catch (ArithmeticException e) { n = 5; }
            try { measure(k == 2 ? null : numbers); } catch (NullPointerException e) { n = 5; }
        }
        System.out.println(n);
    }
}
