/** Enums with fields, bodies and values(). */
class Enums {
    enum Planet {
        NEAR(1, "n"), FAR(9, "f") { int pull() { return distance; } };
        final int distance; final Object mark; Planet next;
        Planet(int d, Object m) { distance = d; mark = m; }
        int pull() { return 10 - distance; }
    }

    Planet home; int far; Object mark;

    public static void main(String[] args) {
        Enums e = new Enums();
        Planet[] all = Planet.values();
        for (int i = 0; i < all.length; i++) all[i].next = all[(i + 1) % all.length];
        e.home = all[0].next;
        e.far = e.home.distance;
        e.mark = Planet.valueOf("NEAR").mark;
        System.out.println(e.far + e.home.pull() + Planet.NEAR.pull() + " " + e.mark + e.home.name());
    }
}
