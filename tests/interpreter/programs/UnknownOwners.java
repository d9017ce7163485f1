import java.lang.reflect.Constructor;

/**
 * What a constructor makes, or has a static method make, before and behind the call of the next one:
 * of an object that somebody saw being made, and of one that only reflection knows.
 */
class UnknownOwners {
    static class Base {
        Object first;
        Object second;

        Base(Object first, Object second) {
            this.first = first;
            this.second = second;
        }
    }

    static class Made extends Base {
        Object third;
        Object fourth;

        Made(int length) {
            super(new int[length], array(length));
            third = new int[length];
            fourth = array(length);
        }

        static Object array(int length) {
            return new long[length];
        }
    }

    public static void main(String[] args) throws Exception {
        Constructor<?> constructor = Reflected.constructor(Made.class);
        Made unseen = (Made) constructor.newInstance(3);
        Made seen = new Made(2);
        seen.third = unseen.first;
        seen.fourth = unseen.second;
        unseen.first = seen.second;
        unseen.second = unseen.third;
        seen.first = unseen.fourth;
        System.out.println(((int[]) seen.third).length + ((long[]) unseen.first).length);
    }
}
