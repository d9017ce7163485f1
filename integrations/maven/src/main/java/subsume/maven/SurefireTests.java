package subsume.maven;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.lifecycle.LifecycleExecutor;
import org.apache.maven.model.Plugin;
import org.apache.maven.plugin.BuildPluginManager;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/**
 * The tests of a module, run by its Surefire as often as needed.
 *
 * <p>Surefire is called in this build and not in another Maven: modules find each other's classes
 * without being installed, and properties that other plugins have set are there.
 */
final class SurefireTests {
    private static final String PLUGIN = "org.apache.maven.plugins:maven-surefire-plugin";

    private final MavenSession session;
    private final BuildPluginManager plugins;
    private final MojoExecution execution;
    private final Xpp3Dom configuration;

    private SurefireTests(MavenSession session, BuildPluginManager plugins, MojoExecution execution) {
        this.session = session;
        this.plugins = plugins;
        this.execution = execution;
        this.configuration = execution.getConfiguration();
    }

    /** The tests of the module that was compiled; {@code null} if it has no Surefire. */
    static SurefireTests of(
            MavenProject module,
            String executionId,
            MavenSession session,
            LifecycleExecutor lifecycles,
            BuildPluginManager plugins)
            throws MojoExecutionException {
        Plugin surefire = module.getPlugin(PLUGIN);
        if (surefire == null) {
            return null;
        }
        MavenSession ofModule = session.clone();
        ofModule.setCurrentProject(module);
        String goal = PLUGIN + ":" + surefire.getVersion() + ":test@" + executionId;
        try {
            MojoExecution execution =
                    lifecycles.calculateExecutionPlan(ofModule, true, goal).getMojoExecutions().get(0);
            return new SurefireTests(ofModule, plugins, execution);
        } catch (Exception refused) {
            // Maven has ten exceptions for it.
            throw new MojoExecutionException(goal + " cannot be prepared: " + refused.getMessage(), refused);
        }
    }

    /** Whether tests may come from elsewhere than the module's own classes. */
    boolean comeFromElsewhere() {
        Xpp3Dom places = configuration.getChild("dependenciesToScan");
        return places != null && places.getChildCount() > 0;
    }

    /**
     * Runs the tests.
     *
     * @param tests which ones, as in {@code -Dtest}; {@code null} for those that the build names
     * @param options a file with options for the JVM of the tests
     * @param reports the folder for reports and for what tests print
     * @throws MojoFailureException if a test fails
     */
    void run(String tests, Path options, Path reports) throws MojoExecutionException, MojoFailureException {
        Xpp3Dom changed = new Xpp3Dom(configuration);
        if (tests != null) {
            set(changed, "test", tests);
        }
        // A recording is of one JVM.
        set(changed, "forkMode", "once");
        set(changed, "forkCount", "1");
        set(changed, "reuseForks", "true");
        set(changed, "testFailureIgnore", "false");
        set(changed, "failIfNoTests", "false");
        set(changed, "failIfNoSpecifiedTests", "false");
        // A recorded run takes several times as long, and its end too.
        set(changed, "forkedProcessTimeoutInSeconds", "0");
        set(changed, "forkedProcessExitTimeoutInSeconds", "600");
        set(changed, "reportsDirectory", reports.toString());
        if (Boolean.parseBoolean(value("disableXmlReport"))) {
            set(changed, "disableXmlReport", "false");
        }
        set(changed, "redirectTestOutputToFile", "true");
        set(changed, "printSummary", "false");
        String argument = AgentArgument.quoted("@" + options);
        set(changed, "argLine", (argument + " " + value("argLine")).strip());
        execution.setConfiguration(changed);
        try {
            plugins.executeMojo(session, execution);
        } catch (MojoExecutionException | MojoFailureException told) {
            throw told;
        } catch (Exception refused) {
            throw new MojoExecutionException(execution + " cannot be run: " + refused.getMessage(), refused);
        }
    }

    /** What the build says for a parameter whose property has the same name; empty if it says nothing. */
    private String value(String parameter) {
        Xpp3Dom named = configuration.getChild(parameter);
        String text = named == null || named.getValue() == null ? "" : named.getValue();
        // Of several that have the property, Maven takes the first.
        String property = Stream.of(
                        session.getUserProperties(),
                        session.getCurrentProject().getProperties(),
                        session.getSystemProperties())
                .map(properties -> properties.getProperty(parameter))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
        return text.replace("${" + parameter + "}", property);
    }

    /** Sets a parameter, if this release of Surefire has it. */
    private void set(Xpp3Dom changed, String parameter, String value) {
        Map<String, ?> known = execution.getMojoDescriptor().getParameterMap();
        if (known.containsKey(parameter)) {
            child(changed, parameter).setValue(value);
        }
    }

    private static Xpp3Dom child(Xpp3Dom parent, String name) {
        Xpp3Dom found = parent.getChild(name);
        if (found == null) {
            found = new Xpp3Dom(name);
            parent.addChild(found);
        }
        return found;
    }
}
