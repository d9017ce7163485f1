import java.lang.management.ManagementFactory;

/** Prints the JVM's options; with an argument also the time, which no two runs have in common. */
public final class PrintsOptions {
    public static void main(String[] args) {
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (!option.startsWith("-agentpath:")) {
                System.out.println(option);
            }
        }
        if (args.length > 0) {
            System.out.println(System.nanoTime());
        }
    }
}
