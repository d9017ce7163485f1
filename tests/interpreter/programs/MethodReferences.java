/** References to static, bound, unbound methods and constructors. */
class MethodReferences {
    interface Fun<A, B> { B on(A a); }
    interface Two<A, B, C> { C on(A a, B b); }
    interface Make<T> { T make(); }
    interface ToInt { int of(Integer x); }

    final int n; Object kept;

    MethodReferences() { this(1); }

    MethodReferences(Integer n) { this.n = n; }

    static Object same(Object o) { return o; }

    MethodReferences self() { return this; }

    Object keep(Object o) { kept = o; return kept; }

    int number() { return n; }

    static int plus(int x) { return x + 1; }

    public static void main(String[] args) {
        Make<MethodReferences> constructor = MethodReferences::new;
        Fun<Integer, MethodReferences> withNumber = MethodReferences::new;
        Fun<Object, Object> fixed = MethodReferences::same;
        MethodReferences m = constructor.make();
        Fun<Object, Object> bound = m::keep;
        Fun<MethodReferences, MethodReferences> unbound = MethodReferences::self;
        Two<MethodReferences, Object, Object> two = MethodReferences::keep;
        Fun<MethodReferences, Integer> number = MethodReferences::number;
        ToInt unboxed = MethodReferences::plus;
        Fun<Integer, int[]> array = int[]::new;
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            MethodReferences o = withNumber.on(i + 500);
            bound.on(fixed.on(o));
            two.on(unbound.on(m), constructor.make());
            o.kept = array.on(i);
            sum += number.on(o) + unboxed.of(i);
        }
        System.out.println(sum + m.n);
    }
}
