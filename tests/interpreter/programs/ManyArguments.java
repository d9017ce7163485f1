/** More arguments than a tracking stack of eight has room for. */
class ManyArguments {
    int[] from = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    int[] to = new int[10];

    void take(int a, int b, int c, int d, int e, int f, int g) {
        to[0] = a; to[1] = b; to[2] = c; to[3] = d; to[4] = e; to[5] = f; to[6] = g;
    }

    public static void main(String[] args) {
        ManyArguments m = new ManyArguments();
        int[] x = m.from;
        m.take(x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
        m.take(x[3], 5, x[2], 6, x[1], 7, x[0]);
        System.out.println(m.to[6]);
    }
}
