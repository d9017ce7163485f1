/**
 * A native makes an object whose constructor calls a namesake of the native, and ignores what that
 * returns: it is not what the native returns.
 */
class NativesThatConstruct {
    static final Kept KEPT = new Kept();

    static class Kept implements Sink {
        Object kept = "kept";

        public Object pass(Object o) {
            Object was = kept;
            kept = o;
            return was;
        }
    }

    static class Made {
        Made(Object o) {
            KEPT.pass(o);
        }
    }

    static class Returning {
        Object o;

        Returning(Object o) {
            this.o = KEPT.pass(o);
        }
    }

    Object first, second, third;

    void run(Sink making, Sink returning) {
        first = making.pass("first");
        second = returning.pass("second");
        third = making.pass(first);
    }

    public static void main(String[] args) {
        NativesThatConstruct it = new NativesThatConstruct();
        it.run(new Back.Making(Made.class), new Back.Making(Returning.class));
        System.out.println(it.first + " " + it.second + " " + it.third + " " + KEPT.kept);
    }
}
