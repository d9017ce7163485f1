/** Two methods that call each other and themselves: twice as many contexts with every level. */
public final class ManyContexts {
    private ManyContexts() {
    }

    public static void main(String[] args) {
        System.out.println(left(Integer.parseInt(args[0])));
    }

    private static int left(int depth) {
        return depth == 0 ? 1 : left(depth - 1) + right(depth - 1);
    }

    private static int right(int depth) {
        return depth == 0 ? 2 : left(depth - 1) + right(depth - 1);
    }
}
