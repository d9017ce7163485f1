package dacapo;

/** Runs the one benchmark of this harness: {@code [-c CALLBACK] [-n ITERATIONS]}. */
public class TestHarness {
    private static Callback callback = new Callback();
    private static int iterations = 1;

    public static void main(String[] args) {
        try {
            for (int i = 0; i + 1 < args.length; i += 2) {
                if (args[i].equals("-c")) {
                    Class<?> named = Class.forName(args[i + 1]);
                    if (!Class.forName("dacapo.Callback").isAssignableFrom(named)) {
                        System.err.println(named + " is no callback");
                        System.exit(13);
                    }
                    callback = (Callback) named.getDeclaredConstructor().newInstance();
                } else if (args[i].equals("-n")) {
                    iterations = Integer.parseInt(args[i + 1]);
                }
            }
            Benchmark benchmark = new Benchmark();
            for (int i = 1; i <= iterations; i++) {
                benchmark.run(callback, i == iterations);
            }
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(-1);
        }
    }
}
