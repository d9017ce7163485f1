import java.lang.reflect.Array;

/**
 * Makes arrays that die at once, stores in them, and says by how many kilobytes what lives in the
 * heap has grown when they are gone. With the property "hashed" the JVM has made them, and hashed
 * them before anything was stored.
 */
class Dying {
    private static final int MANY = 1_000_000;

    /** Arrays that are hashed, each of which takes ten times as long. */
    private static final int MANY_HASHED = 200_000;

    /** Enough to look through what is kept beside arrays. */
    private static final int SOME = 10_000;

    private static Object last;

    private static void make(int count, boolean hashed) {
        for (int i = 0; i < count; i++) {
            Object[] array;
            if (hashed) {
                array = (Object[]) Array.newInstance(Object.class, 4);
                System.identityHashCode(array);
            } else {
                array = new Object[4];
            }
            array[i & 3] = null;
            array[i + 1 & 3] = "something";
            last = array;
        }
        last = null;
    }

    /** What lives once the JVM has dealt with the references that it has cleared, too. */
    private static long live() throws InterruptedException {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int same = 0; same < 4; same++) {
            System.gc();
            long now = runtime.totalMemory() - runtime.freeMemory();
            if (now < least) {
                least = now;
                same = 0;
            }
            Thread.sleep(20);
        }
        return least;
    }

    public static void main(String[] args) throws InterruptedException {
        boolean hashed = Boolean.getBoolean("hashed");
        make(SOME, hashed);
        long before = live();
        make(hashed ? MANY_HASHED : MANY, hashed);
        live();
        make(SOME, hashed);
        System.out.println(live() - before >> 10);
    }
}
