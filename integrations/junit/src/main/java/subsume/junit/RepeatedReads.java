package subsume.junit;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import subsume.Profile;

/**
 * Fails tests in which a loop reads the same data in each iteration, such as a list that is searched
 * once for each element of another.
 *
 * <p>Each test is judged by itself, on its own thread, from before its {@code @BeforeEach} methods
 * until after its {@code @AfterEach} methods; each invocation of a parametrised or repeated test and
 * each dynamic test is one. Nothing is judged without the agent
 * ({@code -agentpath:libsubsume.so=mode=loops}): one line on standard error says so, and no test
 * fails.
 *
 * <p>JUnit finds this extension by itself with
 * {@code junit.jupiter.extensions.autodetection.enabled=true}; else {@code @ExtendWith} names it.
 */
public final class RepeatedReads implements BeforeEachCallback, AfterEachCallback, InvocationInterceptor {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(RepeatedReads.class);

    /** Where the number of a test is kept. */
    private static final String TEST = "test";

    /** Whether it has been said that nothing is judged. */
    private static final AtomicBoolean SAID = new AtomicBoolean();

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(NAMESPACE).put(TEST, begin(context));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Long test = context.getStore(NAMESPACE).remove(TEST, Long.class);
        String[] loops = Profile.endTest(test == null ? 0 : test);
        // A test that has failed need not have done all that it does.
        if (loops != null && !context.getExecutionException().isPresent()) {
            judge(context, loops);
        }
    }

    /** A dynamic test lies within the test that makes it, and has loops of its own. */
    @Override
    public void interceptDynamicTest(
            Invocation<Void> invocation, DynamicTestInvocationContext dynamic, ExtensionContext context)
            throws Throwable {
        long test = begin(context);
        boolean passed = false;
        try {
            invocation.proceed();
            passed = true;
        } finally {
            String[] loops = Profile.endTest(test);
            if (passed && loops != null) {
                judge(context, loops);
            }
        }
    }

    private static long begin(ExtensionContext context) {
        if (!Settings.judge(context)) {
            return 0;
        }
        long test = Profile.beginTest();
        if (test == 0 && SAID.compareAndSet(false, true)) {
            System.err.println(
                    "subsume: loops of tests are not judged: "
                            + (Profile.isRecording()
                                    ? "the agent records another mode than loops (say mode=loops;"
                                            + " the Maven plugin does so by itself without <mode>)"
                                    : "the agent does not record (-agentpath:libsubsume.so=mode=loops)"));
        }
        return test;
    }

    private static void judge(ExtensionContext context, String[] loops) {
        if (loops.length == 0 || isAllowed(context)) {
            return;
        }
        Settings settings = new Settings(context);
        List<LoopReport> reports = new ArrayList<>();
        for (String loop : loops) {
            reports.add(new LoopReport(loop));
        }
        if (settings.writes) {
            List<String> lines = new ArrayList<>();
            for (LoopReport report : reports) {
                report.ways.forEach(way -> lines.add(way.known));
            }
            Baseline.add(settings.baseline, lines);
            return;
        }
        Baseline baseline = baseline(context, settings);
        List<Message.Entry> entries = new ArrayList<>();
        for (LoopReport report : reports) {
            if (report.isRedundant || settings.similarFails) {
                Optional<LoopReport.Way> unknown =
                        report.ways.stream().filter(way -> !baseline.knows(way.known)).findFirst();
                unknown.ifPresent(way -> entries.add(new Message.Entry(report, way)));
            }
        }
        if (!entries.isEmpty()) {
            Message message = new Message(context.getTestClass().orElse(null));
            throw new RepeatedReadsError(message.text(entries), message.stack(entries.get(0).report));
        }
    }

    private static Baseline baseline(ExtensionContext context, Settings settings) {
        if (settings.baseline == null) {
            return Baseline.empty();
        }
        // Read once for all tests.
        ExtensionContext.Store store = context.getRoot().getStore(NAMESPACE);
        return store.getOrComputeIfAbsent(
                settings.baseline, file -> Baseline.read(settings.baseline), Baseline.class);
    }

    /** Whether the test, its class or one around it is annotated. */
    private static boolean isAllowed(ExtensionContext context) {
        Optional<ExtensionContext> at = Optional.of(context);
        for (; at.isPresent(); at = at.get().getParent()) {
            AnnotatedElement element = at.get().getElement().orElse(null);
            AllowRepeatedReads allowed =
                    element == null ? null : element.getAnnotation(AllowRepeatedReads.class);
            if (allowed != null && allowed.value().trim().isEmpty()) {
                throw new ExtensionConfigurationException(
                        "@AllowRepeatedReads on " + element + " needs a reason");
            }
            if (allowed != null) {
                return true;
            }
        }
        return false;
    }
}
