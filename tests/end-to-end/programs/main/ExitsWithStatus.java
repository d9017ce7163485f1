/** Ends through System.exit, with output pending in a shutdown hook and in a finally block. */
public final class ExitsWithStatus {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        System.out.println("before");
        try {
            leave(3);
        } finally {
            System.out.println("never");
        }
    }

    private static void leave(int status) {
        System.err.println("leaving");
        System.exit(status);
    }
}
