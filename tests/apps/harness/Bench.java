package apps;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Runs one application several times in one JVM.
 *
 * <p>{@code Bench APP ITERATIONS small|normal} prints one line per iteration
 * on standard output: {@code iteration}, its number from 1, milliseconds by
 * the clock on the wall, milliseconds of processor time of all threads, and
 * the digest of what was computed, separated by tabs. Exit code 1 means that
 * two iterations computed different things, 2 that the command line is wrong.
 */
public final class Bench {
    private Bench() {}

    public static void main(String[] args) throws Exception {
        App app = args.length == 3 ? find(args[0]) : null;
        if (app == null) {
            System.err.println("usage: Bench APP ITERATIONS small|normal, APP one of " + names());
            System.exit(2);
            return;
        }
        int iterations = Integer.parseInt(args[1]);
        Size size = Size.parse(args[2]);

        app.prepare(size);
        String first = null;
        for (int i = 1; i <= iterations; i++) {
            long wall = Clock.wallMicros();
            long processor = Clock.processorMicros();
            String digest = app.iterate(size);
            System.out.println("iteration\t" + i
                    + "\t" + Clock.millis(Clock.wallMicros() - wall)
                    + "\t" + Clock.millis(Clock.processorMicros() - processor)
                    + "\t" + digest);
            if (first == null) {
                first = digest;
            } else if (!first.equals(digest)) {
                System.err.println(app.name() + ": iteration " + i + " computed " + digest
                        + ", the first one " + first);
                System.exit(1);
            }
        }
        // Worker threads of an application that forgot to stop them must not
        // keep the JVM alive.
        System.exit(0);
    }

    private static App find(String name) {
        for (App app : ServiceLoader.load(App.class)) {
            if (app.name().equals(name)) {
                return app;
            }
        }
        return null;
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>();
        for (App app : ServiceLoader.load(App.class)) {
            names.add(app.name());
        }
        return names;
    }
}
