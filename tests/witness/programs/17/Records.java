import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Records: generated and written members, compact constructors, nested and generic ones. */
public class Records {
    record Point(int x, int y) implements Comparable<Point> {
        static final Point ORIGIN = new Point(0, 0);

        Point {
            if (x < -100) {
                throw new IllegalArgumentException("far away");
            }
            x = Math.max(x, -10);
        }

        Point(int both) {
            this(both, both);
        }

        double distance() {
            return Math.sqrt(x * x + y * y);
        }

        @Override
        public int compareTo(Point other) {
            return Integer.compare(x + y, other.x + other.y);
        }
    }

    record Pair<A, B>(A first, B second) {
        <C> Pair<A, C> with(C other) {
            return new Pair<>(first, other);
        }
    }

    record Everything(byte b, short s, char c, int i, long l, float f, double d, boolean z, Object o, int[] a) {
    }

    record Nothing() {
    }

    public static void main(String[] args) {
        Set<Point> set = new HashSet<>();
        for (int i = -12; i < 4; i++) {
            set.add(new Point(i));
            set.add(new Point(i, 3));
        }
        System.out.println(set.size() + " " + set.contains(new Point(3, 3)) + new Point(4).distance());
        System.out.println(Point.ORIGIN + " " + Point.ORIGIN.equals(new Point(0)) + Point.ORIGIN.compareTo(new Point(1)));
        System.out.println(new Pair<>("a", 1).with(List.of(2, 3)) + " " + new Pair<>(null, null).hashCode());
        Everything everything = new Everything((byte) 1, (short) 2, 'c', 4, 5, 6, 7, true, "o", null);
        System.out.println(everything + " " + everything.equals(everything) + everything.hashCode() + new Nothing());
        try {
            new Point(-1000);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
