import module java.base;

/** What came after Java 17 and is not a pattern: code before super(), sequenced collections, text templates of old. */
public class Latest {
    static class Base {
        final int size;

        Base(int size) {
            this.size = size;
            hook();
        }

        void hook() {
        }
    }

    static class Derived extends Base {
        final int[] table;

        Derived(int n) {
            if (n < 0) {
                throw new IllegalArgumentException("negative");
            }
            int sum = 0;
            for (int i = 0; i < n; i++) {
                sum += i;
            }
            // A field is set before the other constructor runs.
            this.table = new int[sum];
            super(sum);
            table[0] = size;
        }

        Derived() {
            var list = new ArrayList<Integer>();
            for (int i = 0; i < 3; i++) {
                list.add(i);
            }
            this(list.size());
        }

        @Override
        void hook() {
            table[1] = 77;
        }
    }

    public static void main(String[] args) {
        System.out.println(new Derived(4).table[0] + new Derived().table[1]);
        try {
            new Derived(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(List.of(1, 2, 3).reversed().getFirst());
        System.out.println(IntStream.range(0, 10).boxed().gather(Gatherers.windowFixed(4)).toList());
    }
}
