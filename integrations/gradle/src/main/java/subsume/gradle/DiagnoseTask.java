package subsume.gradle;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.inject.Inject;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;
import org.gradle.process.ExecOperations;
import org.gradle.work.DisableCachingByDefault;

/**
 * Says what the tests of a task waste, where, and what a change would save: has {@code subsume diagnose} run
 * them in builds of their own, without the agent and then once for each recording. The tests run in one JVM.
 */
@DisableCachingByDefault(because = "it prints an answer")
public abstract class DiagnoseTask extends DefaultTask {
    /** What the folder's name ends with while recordings are made. */
    private static final String UNFINISHED = "unfinished";

    @Internal
    abstract Property<Installation> getInstallation();

    @Internal
    abstract Property<NestedBuild> getTestBuild();

    /** The path of the task that runs the tests. */
    @Internal
    public abstract Property<String> getTestTask();

    /** The compiled tests. */
    @Internal
    public abstract ConfigurableFileCollection getTestClasses();

    /** Which tests are run, as {@code --tests} takes them. */
    @Internal
    public abstract Property<String> getTest();

    @Internal
    public abstract Property<String> getWithin();

    @Internal
    public abstract Property<String> getAgentOptions();

    /** An earlier diagnosis. */
    @Internal
    public abstract Property<String> getAgainst();

    @Internal
    public abstract Property<Number> getFailAbove();

    @Internal
    public abstract DirectoryProperty getDiagnosis();

    /** Whether to keep the diagnosis that is there, and record what it lacks. */
    @Internal
    public abstract Property<Boolean> getContinued();

    @Internal
    public abstract Property<File> getProjectFolder();

    /** Processes that end with the build. */
    @Inject
    protected abstract ExecOperations getProcesses();

    @TaskAction
    void diagnose() {
        if (getTestClasses().getAsFileTree().getFiles().stream().noneMatch(DiagnoseTask::isClass)) {
            getLogger().lifecycle(getTestTask().get() + " has no tests, so nothing is diagnosed");
            return;
        }
        Diagnosis here = new Diagnosis(getDiagnosis().get().getAsFile().toPath());
        here.check();
        // What was there stays until the new one is complete.
        Diagnosis work = here.beside(UNFINISHED);
        boolean isGoingOn = getContinued().get() && (work.exists() || here.exists());
        if (isGoingOn && !work.exists()) {
            work = here;
        }
        Diagnosis before = before(here);
        if (before != null && before.isAt(work)) {
            throw new GradleException(work.folder() + " cannot be continued and compared with itself: name another"
                    + " diagnosis with subsume.against");
        }
        if (!isGoingOn) {
            work.remove();
        }
        Recorder recorder = new Recorder(getProcesses(), getLogger(), command());
        boolean isOverLimit = recorder.run(line(work, isGoingOn, before), getTestBuild().get(), work, here);
        if (!work.isAt(here)) {
            if (before != null && before.isAt(here)) {
                before = here.beside("before");
                here.replace(before);
            }
            work.replace(here);
        }
        List<String> question = new ArrayList<>(List.of("diagnose"));
        question.addAll(comparison(before));
        question.add(here.folder().toString());
        tell(question, here);
        if (isOverLimit) {
            question.addAll(1, List.of("--top", "0"));
            String excess = Excess.of(getInstallation().get().json(question), getFailAbove().get().doubleValue());
            throw new GradleException(excess + " (" + here.folder() + " has the recordings)");
        }
    }

    private static boolean isClass(File file) {
        return file.getName().endsWith(".class");
    }

    /** What the user types to start this task. */
    private String command() {
        boolean isOfRoot = getPath().lastIndexOf(':') == 0;
        return "gradle " + (isOfRoot ? getName() : getPath());
    }

    /** What this diagnosis is compared with; {@code null} for nothing. */
    private Diagnosis before(Diagnosis here) {
        if (!getAgainst().isPresent()) {
            return null;
        }
        Path root = getTestBuild().get().root().toPath();
        Path named = getProjectFolder().get().toPath().resolve(getAgainst().get());
        // Or another checkout of the whole build.
        Path there = root.resolve(getAgainst().get()).resolve(root.relativize(here.folder()));
        for (Path place : List.of(named, there)) {
            Diagnosis before = new Diagnosis(place);
            if (before.exists()) {
                return before;
            }
        }
        throw new GradleException(named.normalize() + " has no diagnosis of " + getTestTask().get());
    }

    /** The command that makes the recordings. */
    private List<String> line(Diagnosis work, boolean isGoingOn, Diagnosis before) {
        Installation subsume = getInstallation().get();
        List<String> line = new ArrayList<>(List.of(subsume.executable().toString(), "diagnose"));
        line.addAll(List.of("--within", getWithin().get(), "--agent", subsume.library().toString()));
        if (getFailAbove().isPresent()) {
            line.addAll(List.of("--fail-above", getFailAbove().get().toString()));
        }
        line.addAll(comparison(before));
        if (isGoingOn) {
            line.addAll(List.of("--continue", work.folder().toString()));
            return line;
        }
        line.addAll(List.of("-o", work.folder().toString()));
        if (!getAgentOptions().get().isEmpty()) {
            line.addAll(List.of("--agent-options", getAgentOptions().get()));
        }
        line.add("--");
        line.addAll(getTestBuild().get().running(getTestTask().get(), getTest().getOrNull()));
        return line;
    }

    private static List<String> comparison(Diagnosis before) {
        return before != null ? List.of("--against", before.folder().toString()) : List.of();
    }

    /** Prints the answer for people, also with -q, and with this task in place of the command's proposals. */
    private void tell(List<String> question, Diagnosis here) {
        getInstallation().get().ask(question).lines()
                .filter(line -> !line.startsWith("    subsume diagnose "))
                .forEach(getLogger()::quiet);
        Path project = getProjectFolder().get().toPath();
        Path place = here.folder().startsWith(project) ? project.relativize(here.folder()) : here.folder();
        getLogger().quiet("    " + command() + " -Psubsume.against=" + place + "    after a change");
        getLogger().quiet("recordings: " + here.folder());
    }
}
