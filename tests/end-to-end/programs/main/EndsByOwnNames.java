/** Ends below methods of its own that are named like those that end a JVM. */
public class EndsByOwnNames {
    static void exit() {
        Runtime.getRuntime().halt(0);
    }

    static void shutdown() {
        Runtime.getRuntime().halt(0);
    }

    static void runHooks() {
        Runtime.getRuntime().halt(0);
    }

    static void halt() {
        System.exit(0);
    }

    public static void main(String[] args) {
        switch (args[0]) {
            case "exit" -> exit();
            case "shutdown" -> shutdown();
            case "runHooks" -> runHooks();
            case "halt" -> halt();
            default -> { }
        }
    }
}
