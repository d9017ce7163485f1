/** Ends by an exception that nobody catches. */
public class Uncaught {
    static int count(int n) {
        if (n == 0) {
            throw new IllegalStateException("at the bottom");
        }
        return count(n - 1) + 1;
    }

    public static void main(String[] args) {
        System.out.println("before");
        System.out.println(count(5));
    }
}
