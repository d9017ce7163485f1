/** Constructors that call each other, with allocations and calls before super(). */
class ConstructorChains {
    static class Part { Object owner; int n; Part(int n) { this.n = n; } static Part made(int n) { return new Part(n + 1); } }

    static class Root {
        final Part part; final int[] data;
        Root(Part p, int[] d) { part = p; data = d; }
    }

    static class Child extends Root {
        final Part extra;
        Child() { this(new Part(1)); }
        Child(Part p) { this(p, Part.made(p.n)); }
        Child(Part p, Part q) { super(new Part(q.n), new int[] {p.n, q.n}); extra = q; part.owner = this; }
    }

    static class Grand extends Child {
        static int count;
        Root sibling = new Root(new Part(7), new int[2]);
        { count += sibling.part.n; }
        Grand() { super(new Part(Part.made(3).n)); sibling.part.owner = new Child(); }
    }

    public static void main(String[] args) {
        Child c = null;
        for (int i = 0; i < 2; i++) c = new Grand();
        System.out.println(c.part.n + c.extra.n + c.data[1] + Grand.count);
    }
}
