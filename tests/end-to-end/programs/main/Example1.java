/**
 * The small program of the subsuming methods paper (Example 1), with the second call of {@code c}
 * in {@code b} that its Table 1 needs.
 */
public final class Example1 {
    static int work;

    public static void main(String[] args) {
        a();
        a();
        b();
    }

    static void a() {
        b();
        y();
    }

    static void x() {
        work += 3;
    }

    static void b() {
        c();
        c();
        x();
        x();
    }

    static void c() {
        x();
    }

    static void y() {
        work += 5;
    }
}
