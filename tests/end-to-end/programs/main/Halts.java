/** Calls methods until the JVM is halted, without shutdown hooks. */
public final class Halts {
    static int calls;

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("never")));
        for (int i = 0; i < 1000; i++) {
            step(i);
        }
        System.out.println("halting");
        System.out.flush();
        Runtime.getRuntime().halt(7);
    }

    private static void step(int i) {
        calls += i;
    }
}
