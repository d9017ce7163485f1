/** Two methods that call each other three levels deep; the last of them calls a third. */
public final class Recursion {
    static int leaves;

    public static void main(String[] args) {
        a(3);
    }

    static void a(int levels) {
        b(levels);
    }

    static void b(int levels) {
        if (levels > 1) {
            a(levels - 1);
        } else {
            c();
        }
    }

    static void c() {
        leaves++;
    }
}
