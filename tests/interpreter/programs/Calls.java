/** Arguments and results, static and virtual, of one and two words. */
class Calls {
    int value;
    long wide;

    static int identity(int x) { return x; }

    static long second(int a, long b, double c, Object d) { return b; }

    static double third(int a, long b, double c, Object d) { return c; }

    Object self(Object other) { return other; }

    int get() { return value; }

    void set(int v) { value = v; }

    Calls with(long w) { wide = w; return this; }

    double stored;
    Object kept;

    public static void main(String[] args) {
        Calls a = new Calls();
        Calls b = new Calls();
        a.set(7);
        b.set(identity(identity(a.get())));
        a.with(9L);
        b.wide = second(1, a.wide, 2.0, b);
        a.stored = 2.5;
        b.stored = third(a.value, a.wide, a.stored, a);
        b.kept = a.self(b.self(a));
        b.with(a.with(a.wide).wide).kept = b;
        System.out.println(b.value + " " + b.wide + " " + b.stored);
    }
}
