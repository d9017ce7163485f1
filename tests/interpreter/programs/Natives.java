/** Calls of native methods: they consume what they get and return nothing known. */
class Natives {
    Object o = new Object(); Class<?> c; long time; int hash; float f = 1.5f; double d = 2.5; int bits;

    public static void main(String[] args) {
        Natives n = new Natives();
        n.hash = System.identityHashCode(n.o) == n.o.hashCode() ? 1 : 0;
        n.c = n.o.getClass();
        n.bits = Float.floatToRawIntBits(n.f);
        long raw = Double.doubleToRawLongBits(n.d);
        n.time = System.nanoTime() > 0 ? raw : 0;
        Object other = n.c == Object.class ? n.o : n;
        n.o = other;
        System.out.println(n.hash + n.bits + n.time + " " + n.c.getName());
    }
}
