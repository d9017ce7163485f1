import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * {@code RunSuite TESTS.JAR RESULTS CLASS-PATTERN} runs all tests of a jar on the class path and
 * writes one sorted line for each: its unique name, a tab, and what came of it. A failure is told
 * with the class of its exception, so that a test which fails for another reason differs.
 *
 * <p>Results go to a file, since tests print.
 */
public final class RunSuite implements TestExecutionListener {
    private final Set<String> lines = new TreeSet<>();

    private RunSuite() {
    }

    public static void main(String[] args) throws IOException {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClasspathRoots(Set.of(Path.of(args[0]))))
            .filters(ClassNameFilter.includeClassNamePatterns(args[2]))
            .build();
        RunSuite results = new RunSuite();
        LauncherFactory.create().execute(request, results);
        Files.write(Path.of(args[1]), List.copyOf(results.lines));
        // Threads that a test left behind must not keep the JVM alive.
        System.exit(0);
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
        lines.add(test.getUniqueId() + "\tskipped");
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        String outcome = switch (result.getStatus()) {
            case SUCCESSFUL -> "passed";
            case ABORTED -> "aborted";
            case FAILED -> "failed " + result.getThrowable().map(thrown -> thrown.getClass().getName()).orElse("");
        };
        lines.add(test.getUniqueId() + "\t" + outcome);
    }
}
