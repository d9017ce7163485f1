/** Code that is not followed passes on what code that is followed has returned. */
class RelayedResults {
    int number = 3;
    Object one = "one";
    Object other;

    Object get() {
        return one;
    }

    int count() {
        return number;
    }

    void set(Object o, int n) {
        other = o;
        number = n;
    }

    static void keep(RelayedResults in, Object o) {
        in.other = o;
    }

    /** Left out. */
    static class X {
        static void swap(RelayedResults from, RelayedResults to) {
            to.set(from.get(), from.count());
            Object kept = from.get();
            keep(to, kept);
        }
    }

    public static void main(String[] args) {
        RelayedResults from = new RelayedResults();
        RelayedResults to = new RelayedResults();
        X.swap(from, to);
        to.set(from.get(), from.count());
        System.out.println(to.other + " " + to.number);
    }
}
