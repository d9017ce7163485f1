import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** What static methods make, on behalf of their callers. */
class StaticHelpers {
    static class Cell {
        Object held;
        Cell(Object held) { this.held = held; }
    }

    /** Helpers of another class, of which some call others. */
    static class Make {
        static int[] array(int length) { return new int[length]; }
        static Object[] filled(int length) { return fill(new Object[length], length); }
        static Object[] fill(Object[] array, int length) {
            for (int i = 0; i < length; i++) array[i] = cell(i);
            return array;
        }
        static Cell cell(int number) { return new Cell(Integer.valueOf(1000 + number)); }
        static int[][] deep(int depth) {
            return depth == 0 ? new int[1][1] : deep(depth - 1);
        }
        static Object through(int number) { return Other.box(number); }
    }

    static class Inheriting extends Make {
        static Cell own() { return cell(3); }
    }

    static class Other {
        static Object box(long number) { return new Cell(Long.valueOf(number * 1000)); }
    }

    interface Source {
        static Object[] two(Object a, Object b) { return new Object[] {a, b}; }
        default Object[] both(Object a) { return two(a, this); }
    }

    static class Owner implements Source {
        Object kept;
        int[] numbers;
        Owner(int length) {
            this(Make.array(length), Make.cell(length));
        }
        Owner(int[] numbers, Object kept) {
            this.numbers = numbers;
            this.kept = kept;
        }
        void again() {
            kept = Make.filled(3);
            numbers = Make.deep(2)[0];
        }
        Object boxed(int number) { return Make.through(number); }
        static Object unbound() { return Make.cell(9); }
        Object bound() { return unbound(); }
    }

    static final class Second extends Owner {
        static final Object FIRST = Make.cell(7);
        static final int[] MADE = new int[4];
        Second() { super(5); }
    }

    static Object here() { return new int[2]; }
    static Object further() { return here(); }

    static Object last;
    static int sum;

    static void keep(Object object) {
        last = object;
        sum += last.hashCode() == 0 ? 1 : 2;
    }

    public static void main(String[] args) {
        keep(Make.array(1));
        keep(Make.array(2));
        keep(Make.filled(2));
        keep(Make.deep(3));
        keep(Make.through(4));
        keep(here());
        keep(here());
        keep(further());
        keep(Inheriting.cell(1));
        keep(Inheriting.own());
        keep(Source.two(args, last));
        for (int round = 0; round < 3; round++) {
            Owner one = new Owner(round);
            Owner two = new Second();
            one.again();
            two.again();
            keep(one.boxed(round));
            keep(two.boxed(round));
            keep(one.bound());
            keep(Owner.unbound());
            keep(two.both(one));
        }
        IntFunction<Object> reference = Make::cell;
        Supplier<Object> expression = () -> Make.through(11);
        keep(reference.apply(5));
        keep(expression.get());
        Integer[] boxes = {1, 200, 3000};
        keep(Arrays.copyOf(boxes, 5));
        keep(Arrays.copyOf(boxes, 6));
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < 40; i++) list.add(boxes[i % 3]);
        keep(list.toArray(new Integer[0]));
        System.out.println(sum);
    }
}
