/** Joins of values on the operand stack. */
class Ternaries {
    int a = 1, b = 2, to;
    long w = 5, v = 6, wide;
    Object p = this, q = new Object(), reference;

    void store(boolean flag) {
        to = flag ? a : b;
        wide = flag ? w : v;
        reference = flag ? p : q;
    }

    static int pass(int x, int y) { return x - y + y; }

    int argument(boolean flag) {
        to = pick(flag ? a : to, flag ? to : b);
        return to;
    }

    static int pick(int x, int y) { return y; }

    public static void main(String[] args) {
        Ternaries t = new Ternaries();
        t.store(true);
        t.store(false);
        t.store(args.length == 99);
        int sum = t.argument(true) + t.argument(false);
        boolean both = t.a > 0 && t.b > 0 || t.to > 0;
        t.q = both ? t.p : null;
        System.out.println(sum + " " + pass(3, 4) + both);
    }
}
