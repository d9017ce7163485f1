package apps;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Runs one application several times in one JVM.
 *
 * <p>{@code Bench APP ITERATIONS small|normal} prints one line per iteration
 * on standard output, separated by tabs: {@code iteration}, its number from 1,
 * milliseconds by the clock on the wall, milliseconds of processor time of all
 * threads, and the digest of what was computed.
 *
 * <p>With {@code LEAST..MOST} for the iterations it ends when they are steady,
 * see {@link Steadiness}. Then a line has milliseconds of processor time of
 * the JIT compilers, too, and the last line is {@code steady} or
 * {@code unsteady}, and the number of the first iteration of the last window.
 *
 * <p>Exit code 1 means that two iterations computed different things, 2 that
 * the command line is wrong.
 */
public final class Bench {
    private Bench() {}

    public static void main(String[] args) throws Exception {
        App app = args.length == 3 ? find(args[0]) : null;
        if (app == null) {
            System.err.println("usage: Bench APP ITERATIONS|LEAST..MOST small|normal, APP one of " + names());
            System.exit(2);
            return;
        }
        int dots = args[1].indexOf("..");
        int least = Integer.parseInt(dots < 0 ? args[1] : args[1].substring(0, dots));
        int most = dots < 0 ? least : Integer.parseInt(args[1].substring(dots + 2));
        Size size = Size.parse(args[2]);

        app.prepare(size);
        // None for a fixed number: what watches would be in recordings of the application.
        WarmUp warmUp = dots < 0 ? null : new WarmUp(least);
        String first = null;
        for (int i = 1; i <= most && (warmUp == null || !warmUp.isOver()); i++) {
            long wallStart = Clock.wallMicros();
            long processorStart = Clock.processorMicros();
            String digest = app.iterate(size);
            long wall = Clock.wallMicros() - wallStart;
            long processor = Clock.processorMicros() - processorStart;
            System.out.print("iteration\t" + i
                    + "\t" + Clock.millis(wall)
                    + "\t" + Clock.millis(processor)
                    + "\t" + digest);
            System.out.println(warmUp == null ? "" : "\t" + warmUp.add(wall, processor));
            if (first == null) {
                first = digest;
            } else if (!first.equals(digest)) {
                System.err.println(app.name() + ": iteration " + i + " computed " + digest
                        + ", the first one " + first);
                System.exit(1);
            }
        }
        if (warmUp != null) {
            System.out.println(warmUp.outcome());
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
