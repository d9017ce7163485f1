/** Lambdas that capture nothing, variables of all kinds, and this. */
class Lambdas {
    interface IntOp { int apply(int x); }
    interface Maker { Object make(); }
    interface Sink { void take(Object o, long n); }

    int factor = 3; Object kept; long wide; IntOp op;

    IntOp scaled() { return x -> x * factor; }

    IntOp added(int n, long w) { return x -> x + n + (int) w; }

    Maker keeper(Object o) { return () -> o; }

    Sink sink() { return (o, n) -> { kept = o; wide = n; }; }

    static int twice(IntOp op, int x) { return op.apply(op.apply(x)); }

    public static void main(String[] args) {
        Lambdas l = new Lambdas();
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += twice(x -> x + 1, i);
            sum += twice(l.scaled(), i);
            l.op = l.added(i, l.wide);
            sum += twice(l.op, 1);
            l.kept = l.keeper(l).make();
            l.sink().take(l.kept, i);
            Maker nested = () -> { Maker inner = () -> l.op; return inner.make(); };
            l.kept = nested.make();
        }
        System.out.println(sum + l.wide + " " + (l.kept == l.op));
    }
}
