/** Arrays that the compiler makes for variable arguments. */
class Varargs {
    Object[] kept; int total; Object last;

    static int sum(int... all) { int s = 0; for (int a : all) s += a; return s; }

    void keep(Object... all) { kept = all; for (Object o : all) last = o; }

    static Object first(Object... all) { return all.length == 0 ? null : all[0]; }

    public static void main(String[] args) {
        Varargs v = new Varargs();
        v.total = sum() + sum(1) + sum(1, 2, 3);
        v.keep(v, new Object());
        v.keep();
        v.keep((Object[]) new Varargs[] {v});
        v.last = first(v.last, v);
        System.out.println(v.total + v.kept.length + " " + (v.last == v));
    }
}
