/** Dies of an exception with a cause and a suppressed one; their traces go to standard error. */
public final class ThrowsUncaught {
    public static void main(String[] args) throws Exception {
        System.out.println("before");
        outer(5);
    }

    private static void outer(int depth) throws Exception {
        if (depth > 0) {
            outer(depth - 1);
            return;
        }
        try (AutoCloseable resource = () -> {
            throw new IllegalStateException("while closing");
        }) {
            inner(new int[0]);
        } catch (ArrayIndexOutOfBoundsException e) {
            throw new Exception("wrapped", e);
        }
    }

    private static int inner(int[] values) {
        return values[values.length];
    }
}
