/** Interface calls, default and static methods, constants of interfaces. */
class Interfaces {
    interface Source { int next(); default int twice() { next(); return next(); } static Source of(int v) { return new Fixed(v); } }
    interface Named { Object NAME = new Object(); default Object name() { return NAME; } }

    static class Fixed implements Source {
        final int v;
        Fixed(int v) { this.v = v; }
        public int next() { return v; }
    }

    static class Counter implements Source, Named {
        int at;
        public int next() { return at++; }
        public Object name() { return Named.super.name(); }
    }

    int got; Object name;

    public static void main(String[] args) {
        Interfaces to = new Interfaces();
        Source[] sources = {Source.of(5), new Counter(), () -> 8};
        int sum = 0;
        for (Source s : sources) { to.got = s.next(); sum += to.got; to.got = s.twice(); sum += to.got; }
        to.name = ((Named) sources[1]).name();
        System.out.println(sum + " " + (to.name == Named.NAME));
    }
}
