/** Generic classes with bridge methods and casts, which pass values through. */
class Bridges {
    static abstract class Box<T> { T inside; void put(T t) { inside = t; } T take() { return inside; } abstract Box<T> same(); }
    static class Named extends Box<Named> {
        void put(Named n) { super.put(n); }
        Named take() { return inside; }
        Named same() { return this; }
    }
    static class Sorted implements Comparable<Sorted> {
        int key; Sorted(int k) { key = k; }
        public int compareTo(Sorted o) { return key - o.key; }
    }
    static <T extends Comparable<T>> T max(T a, T b) { return a.compareTo(b) > 0 ? a : b; }

    Object out; Sorted best;

    public static void main(String[] args) {
        Bridges b = new Bridges();
        Box<Named> box = new Named();
        for (int i = 0; i < 3; i++) {
            box.put(new Named());
            b.out = box.take();
            b.out = box.same().take().take();
            Sorted s = new Sorted(i % 2);
            b.best = b.best == null ? s : max(b.best, s);
        }
        System.out.println(b.best.key + " " + (b.out == null));
    }
}
