/** Records: canonical and compact constructors, accessors, generated methods. */
class Records {
    record Pair(int left, Object right) { Pair { if (left < 0) left = 0; } Pair swap(Object o) { return new Pair(left, o); } }
    record Line(Pair from, Pair to) { int length() { return to.left() - from.left(); } }

    Object kept; int left;

    public static void main(String[] args) {
        Records r = new Records();
        Pair p = new Pair(3, "x");
        for (int i = 0; i < 3; i++) {
            Pair q = p.swap(p.right());
            r.kept = q.right();
            r.left = q.left();
            Line line = new Line(p, new Pair(i, r.kept));
            p = line.to();
        }
        boolean same = p.equals(new Pair(2, "x"));
        System.out.println(p + " " + same + " " + (p.hashCode() == new Pair(2, "x").hashCode()));
    }
}
