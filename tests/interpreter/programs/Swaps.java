/** Variables that change places in loops: merges that depend on each other. */
class Swaps {
    int a = 1, b = 2, first, second;
    long c = 3, d = 4, third;

    void swap(int n) {
        int x = a, y = b;
        for (int i = 0; i < n; i++) {
            int t = x; x = y; y = t;
        }
        first = x;
        second = y;
    }

    void rotate(int n) {
        long x = c, y = d, z = 9;
        do {
            long t = x; x = y; y = z; z = t;
            third = x;
        } while (--n > 0);
    }

    static void inArray(Object[] array) {
        for (int i = 0, j = array.length - 1; i < j; i++, j--) {
            Object t = array[i]; array[i] = array[j]; array[j] = t;
        }
    }

    public static void main(String[] args) {
        Swaps s = new Swaps();
        s.swap(3);
        s.swap(4);
        s.rotate(5);
        Object[] array = {new Object(), new int[2], s, new Object()};
        inArray(array);
        System.out.println(s.first + s.second + s.third + (array[1] == s ? 1 : 0));
    }
}
