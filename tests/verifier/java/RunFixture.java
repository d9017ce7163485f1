import java.lang.reflect.InvocationTargetException;

/**
 * Runs the {@code main} of each fixture named on the command line. What the fixtures print goes to standard output, one
 * line of probe counts per fixture to standard error. This class and {@link Probes} are never instrumented.
 */
public final class RunFixture {
    private RunFixture() {}

    public static void main(String[] names) throws ReflectiveOperationException {
        boolean failed = false;
        for (String name : names) {
            System.out.println("== " + name);
            try {
                Class.forName(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            } catch (InvocationTargetException e) {
                failed = true;
                e.getCause().printStackTrace();
            } catch (LinkageError e) {
                // A verification failure is what this program looks for: its whole message matters.
                failed = true;
                e.printStackTrace();
            }
            System.out.flush();
            System.err.println(Probes.summary(name));
        }
        System.exit(failed ? 1 : 0);
    }
}
