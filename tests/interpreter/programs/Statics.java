/** Static fields as sources and targets, also of a class that another initialises. */
class Statics {
    static int first = 3;
    static long wide = 1L << 40;
    static Object shared = new Object();
    static Object copy;

    static class Other {
        static int taken = first;
        static final int[] table = new int[4];

        static {
            table[0] = taken;
        }
    }

    static class Box {
        Object inside;
    }

    public static void main(String[] args) {
        copy = shared;
        Box box = new Box();
        box.inside = copy;
        shared = box;
        first = Other.table[0];
        long before = wide;
        wide = before;
        System.out.println(first);
        System.out.println(wide);
        System.out.println(copy == box.inside);
    }
}
