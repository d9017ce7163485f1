import java.util.ArrayList;
import java.util.List;

/** Chains of constructors, with work, allocations, branches and exceptions before super(). */
public class Constructors {
    static class Base {
        final int a;
        final String text;

        Base() {
            this(5);
        }

        Base(int a) {
            this(a, new StringBuilder().append(a).reverse().toString());
        }

        Base(int a, String text) {
            this.a = a;
            this.text = text;
            if (a < 0) {
                throw new IllegalArgumentException(text);
            }
        }
    }

    static class Middle extends Base {
        final List<String> list = new ArrayList<>();

        {
            list.add("instance initialiser");
        }

        Middle(int n) {
            super(n > 10 ? n - 10 : check(n), n % 2 == 0 ? new String("even") : "odd");
            list.add(text);
        }

        Middle(int n, int m) {
            this(sum(n, m));
            list.add("two");
        }

        static int check(int n) {
            if (n == 7) {
                throw new UnsupportedOperationException("seven");
            }
            return n * 2;
        }

        static int sum(int... numbers) {
            int sum = 0;
            for (int n : numbers) {
                sum += n;
            }
            return sum;
        }
    }

    static class Leaf extends Middle {
        Leaf(int n) {
            super(new Middle(n).list.size(), n);
        }
    }

    static class Empty {
    }

    static class Inheriting extends Empty {
    }

    public static void main(String[] args) {
        StringBuilder out = new StringBuilder();
        out.append(new Base().a).append(new Base(42).text);
        for (int n : new int[] {1, 2, 7, -3, 15, 16}) {
            try {
                out.append(new Middle(n).list);
                out.append(new Middle(n, 3).a);
                out.append(new Leaf(n).list.size());
            } catch (IllegalArgumentException | UnsupportedOperationException e) {
                out.append(e.getMessage());
            }
        }
        for (int i = 0; i < 5; i++) {
            out.append(new Inheriting() != null);
        }
        System.out.println(out);
    }
}
