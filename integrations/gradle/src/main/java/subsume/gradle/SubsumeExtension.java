package subsume.gradle;

import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;

/** The settings of a build: {@code subsume { maxIncrease = 2.0 }}. They are those of the Maven plugin. */
public abstract class SubsumeExtension {
    /** The command {@code subsume}; otherwise the one on the path. */
    public abstract Property<String> getCommand();

    /** The agent; otherwise {@code $SUBSUME_AGENT}, or the one installed with the command. */
    public abstract Property<String> getAgent();

    /** The folder for all files. */
    public abstract DirectoryProperty getFolder();

    /**
     * What to record: a mode of the agent. By default {@code loops} for tests that have the extension of
     * JUnit on their classpath, and {@code calls} for others.
     */
    public abstract Property<String> getMode();

    /** More options of the agent. */
    public abstract Property<String> getOptions();

    /** The tasks whose profiles are merged, compared and reported. */
    public abstract ListProperty<String> getTasks();

    /** A profile to compare with, or the folder of another checkout in which the same build has run. */
    public abstract Property<String> getBaseline();

    /** By how many per cent bytecodes may rise above the baseline. */
    public abstract Property<Number> getMaxIncrease();

    /** The most bytecodes that are allowed in all. */
    public abstract Property<Number> getMaxBytecodes();

    /** Bounds on methods, or on other costs than bytecodes. */
    public abstract ListProperty<Bound> getBounds();

    /** More conditions of {@code subsume diff --fail-if}. */
    public abstract ListProperty<String> getFailIf();

    /** Whether what is found fails the build, or is a warning. */
    public abstract Property<Boolean> getFailOnIncrease();

    /** Methods of which only what lies below counts; otherwise those of the project's own classes. */
    public abstract Property<String> getUnder();

    /** Methods below which nothing counts. */
    public abstract Property<String> getWithout();

    /** The task whose tests {@code subsumeDiagnose} diagnoses; otherwise the first of {@code tasks}. */
    public abstract Property<String> getTestTask();

    /** Recordings of {@code subsumeDiagnose} are left out if all runs would take longer, such as {@code 30m}. */
    public abstract Property<String> getWithin();

    /**
     * An earlier diagnosis, of which each finding is gone, smaller, the same or larger: its folder, or the
     * folder of another checkout in which the task was run.
     */
    public abstract Property<String> getAgainst();

    /** {@code subsumeDiagnose} fails if a finding saves more than this share of the bytecodes, in per cent. */
    public abstract Property<Number> getFailAbove();

    /** The Gradle with which {@code subsumeDiagnose} runs tests; otherwise the one that runs the task. */
    public abstract Property<String> getGradleCommand();

    /** Whether nothing is done. */
    public abstract Property<Boolean> getSkip();

    /** Limits the bytecodes of methods, with all that they call. */
    public void bound(String method, long max) {
        bound(method, "bytecodes", max);
    }

    /** Limits a cost of methods, with all that they call. */
    public void bound(String method, String metric, long max) {
        getBounds().add(new Bound(method, metric, max));
    }

}
