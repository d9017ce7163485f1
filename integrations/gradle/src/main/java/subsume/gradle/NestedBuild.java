package subsume.gradle;

import java.io.File;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gradle.StartParameter;
import org.gradle.api.Project;

/** A build of the same project that runs one test task, with the settings of the build that starts it. */
final class NestedBuild implements Serializable {
    private static final long serialVersionUID = 1;

    /** The options for the JVM of the tests, which every JVM would take from {@code JAVA_TOOL_OPTIONS}. */
    static final String TEST_OPTIONS = "SUBSUME_TEST_OPTIONS";
    /** The path of the test task that gets them. */
    static final String TEST_TASK = "SUBSUME_TEST_TASK";

    private static final String JVM_OPTIONS = "JAVA_TOOL_OPTIONS";
    /** The user's own {@code JAVA_TOOL_OPTIONS}. */
    private static final String USUAL_OPTIONS = "SUBSUME_USUAL_OPTIONS";
    /** Keeps the agent from Gradle's own JVM. The arguments are the task and the command that runs Gradle. */
    private static final String PROGRAM = TEST_OPTIONS + "=\"$" + JVM_OPTIONS + "\"; " + TEST_TASK + "=\"$1\"; "
            + "export " + TEST_OPTIONS + " " + TEST_TASK + "; unset " + JVM_OPTIONS + "; "
            + "if [ -n \"$" + USUAL_OPTIONS + "\" ]; then " + JVM_OPTIONS + "=\"$" + USUAL_OPTIONS + "\"; "
            + "export " + JVM_OPTIONS + "; fi; shift; exec \"$@\"";

    private final File root;
    private final File userHome;
    private final String command;
    private final ArrayList<String> settings = new ArrayList<>();
    private final ArrayList<String> excluded;

    /** With a command that the user names, or {@code null} for this Gradle. */
    NestedBuild(Project project, String named) {
        StartParameter start = project.getGradle().getStartParameter();
        root = project.getRootDir();
        userHome = start.getGradleUserHomeDir();
        command = named != null ? named : command(project);
        excluded = new ArrayList<>(start.getExcludedTaskNames());
        // Every run has other options for the JVM of the tests, so that no run can reuse a cached result.
        settings.addAll(List.of("--no-daemon", "-q", "--no-configuration-cache", "--no-build-cache"));
        if (start.isOffline()) {
            settings.add("--offline");
        }
        start.getInitScripts().forEach(script -> settings.addAll(List.of("-I", script.getPath())));
        start.getIncludedBuilds().forEach(build -> settings.addAll(List.of("--include-build", build.getPath())));
        addAll("-P", start.getProjectProperties());
        addAll("-D", start.getSystemPropertiesArgs());
    }

    private void addAll(String letter, Map<String, String> values) {
        values.forEach((name, value) -> settings.add(letter + name + "=" + value));
    }

    /** The wrapper may need another release of Gradle than the one that runs, and fetch it. */
    private static String command(Project project) {
        List<File> places = new ArrayList<>();
        File home = project.getGradle().getGradleHomeDir();
        if (home != null) {
            places.add(new File(home, "bin/gradle"));
        }
        places.add(new File(project.getRootDir(), "gradlew"));
        for (File place : places) {
            if (place.canExecute()) {
                return place.getPath();
            }
        }
        return "gradle";
    }

    /** Where it runs. */
    File root() {
        return root;
    }

    /** The environment of a process that starts it. */
    Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("GRADLE_USER_HOME", userHome.getPath());
        String usual = environment.remove(JVM_OPTIONS);
        if (usual != null) {
            environment.put(USUAL_OPTIONS, usual);
        }
        return environment;
    }

    /**
     * The command line that runs a test task.
     *
     * @param tests which tests are run, as {@code --tests} takes them; {@code null} for all
     */
    List<String> running(String task, String tests) {
        // The word after the script names the program.
        List<String> line = new ArrayList<>(List.of("sh", "-c", PROGRAM, "gradle", task, command));
        line.addAll(settings);
        for (String name : excluded) {
            // A user may want tests to run in the diagnosis only.
            if (!task.endsWith(":" + name) && !task.equals(name)) {
                line.addAll(List.of("-x", name));
            }
        }
        line.add(task);
        if (tests != null) {
            line.addAll(List.of("--tests", tests));
        }
        return line;
    }
}
