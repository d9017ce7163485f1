import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Sites of which some objects are assigned to the heap and others are not. */
class Assignments {
    static class Part {
        int number;
        Part next;
        Part(int number) { this.number = number; }
        synchronized Part keptWhileLocked(List<Object> list) {
            list.add(this);
            Assignments.some = this;
            return this;
        }
    }

    static class Registered {
        static Registered first;
        final int number;
        Registered(int number) {
            this.number = number;
            if (number % 2 == 0) first = this;
        }
    }

    class Inner { int of() { return sum; } }

    static Object some;
    int sum;

    static Part made(int number) { return new Part(number); }

    static Part either(boolean first, Part one, Part other) { return first ? one : other; }

    static int use(Part part) { return part == null ? 0 : part.number; }

    static void store(Object[] array, int at, Object value) {
        try {
            array[at] = value;
        } catch (ArrayStoreException | ArrayIndexOutOfBoundsException e) {
            some = null;
        }
    }

    public static void main(String[] args) {
        Assignments outer = new Assignments();
        List<Object> list = new ArrayList<>();
        Object[] kept = new Object[4];
        Integer[] numbers = new Integer[2];
        for (int i = 0; i < 12; i++) {
            // Some of a site, some more than once.
            Part part = new Part(i);
            if (i % 3 == 0) {
                kept[i % 4] = part;
                list.add(part);
            }
            outer.sum += use(part);
            Part other = made(i);
            Part chosen = either(i % 2 == 0, part, other);
            if (i > 5) chosen.next = other;
            // The constructor assigns.
            outer.sum += new Registered(i).number;
            // The object is locked by this thread.
            Part locked = new Part(-i);
            synchronized (locked) {
                if (i % 4 == 0) list.add(locked.keptWhileLocked(list));
            }
            // The store fails.
            store(numbers, i % 3, made(i));
            store(kept, i, new Part(1));
            // Captured, and an inner class's outer object.
            Part captured = new Part(i);
            Supplier<Part> supplier = () -> captured;
            outer.sum += supplier.get().number;
            outer.sum += outer.new Inner().of();
            // Arrays in arrays are assigned from the beginning.
            int[][] deep = new int[2][3];
            int[][] open = new int[2][];
            open[0] = deep[1];
            open[1] = new int[i];
            outer.sum += open[0].length + deep.length;
            Object copy = deep[0].clone();
            if (i == 7) some = copy;
        }
        ConcurrentHashMap<Integer, Part> map = new ConcurrentHashMap<>();
        for (int i = 0; i < 5; i++) {
            map.putIfAbsent(i % 3, new Part(i));
        }
        Part[] parts = {new Part(1), new Part(2)};
        Part[] others = new Part[2];
        System.arraycopy(parts, 0, others, 0, 2);
        some = others[1];
        try {
            throw new IllegalStateException();
        } catch (IllegalStateException e) {
            some = e;
        }
        System.out.println(outer.sum + list.size() + map.size());
    }
}
