package subsume.junit;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What the build has set: JUnit's configuration parameters, which may be system properties. */
final class Settings {
    /** A file of loops that are known. */
    static final String BASELINE = "subsume.loops.baseline";
    /** Whether to add what is found to that file instead of failing. */
    static final String WRITE = "subsume.loops.write-baseline";
    /** Which loops fail a test. */
    static final String FAIL = "subsume.loops.fail";
    /** Before all of them, if its value is {@code nothing}: {@code subsume diagnose} sets it for what it runs. */
    static final String FAIL_VARIABLE = "SUBSUME_LOOPS_FAIL";

    /** The value with which no loop is judged. */
    private static final String NOTHING = "nothing";

    /** The file of known loops, or {@code null}. */
    final Path baseline;
    final boolean writes;
    /** Whether loops fail a test that read but a part of their data again. */
    final boolean similarFails;

    Settings(ExtensionContext context) {
        Optional<String> file = context.getConfigurationParameter(BASELINE);
        baseline = file.filter(name -> !name.isEmpty()).map(Paths::get).orElse(null);
        writes = context.getConfigurationParameter(WRITE).map(Boolean::parseBoolean).orElse(false);
        if (writes && baseline == null) {
            throw new ExtensionConfigurationException(WRITE + ": " + BASELINE + " must say which file");
        }
        String fail = fail(context);
        if (!fail.equals("redundant") && !fail.equals("similar")) {
            throw new ExtensionConfigurationException(
                    FAIL + "=" + fail + ": it is redundant, similar or nothing");
        }
        similarFails = fail.equals("similar");
    }

    private static String fail(ExtensionContext context) {
        return NOTHING.equals(System.getenv(FAIL_VARIABLE))
                ? NOTHING
                : context.getConfigurationParameter(FAIL).orElse("redundant");
    }

    /** Whether loops are judged at all. */
    static boolean judge(ExtensionContext context) {
        return !fail(context).equals(NOTHING);
    }
}
