/** Static fields by the names of classes that inherit them, from classes and from interfaces. */
class InheritedStatics {
    static class Base {
        static int count = 2;
        static Object last;
        static long hidden = 5;
    }

    interface Defaults {
        int[] TABLE = {3, 4};
        Object KEY = new Object();
    }

    interface MoreDefaults extends Defaults {}

    static class Middle extends Base implements MoreDefaults {
        static long hidden = 6;
    }

    /** Named by {@code main} before it is loaded, as are those above. */
    static class Leaf extends Middle {
        static int countUp() {
            // The compiler names these fields by this class.
            count = count + TABLE[0];
            return count;
        }

        static long swap() {
            long before = hidden;
            hidden = Base.hidden;
            Base.hidden = before;
            return hidden;
        }
    }

    static class Holder {
        Object held;
    }

    public static void main(String[] args) {
        Leaf.count = 7;
        int read = Base.count;
        Base.count = read + 1;
        System.out.println(Middle.count);
        System.out.println(Leaf.countUp());
        System.out.println(Base.count);

        Base.last = new Holder();
        Leaf.last = new Object();
        Holder holder = new Holder();
        holder.held = Base.last;
        System.out.println(holder.held == Middle.last);
        holder.held = Leaf.KEY;
        System.out.println(holder.held == Defaults.KEY);

        System.out.println(Leaf.swap());
        System.out.println(Base.hidden);
        System.out.println(Leaf.hidden);

        for (int i = 0; i < 3; i++) {
            Late.total = Late.total + i;
            Total.total = Late.total;
        }
        System.out.println(Total.total);
    }

    static class Total {
        static int total = 1;
    }

    static class Late extends Total {}
}
