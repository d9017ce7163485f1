package subsume.gradle;

import java.io.File;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.GradleException;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.file.Directory;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.provider.Provider;
import org.gradle.api.tasks.JavaExec;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.SourceSetContainer;
import org.gradle.api.tasks.testing.Test;

/**
 * Has the JVMs of tests and programs recorded, and adds the tasks {@code subsumeMerge}, {@code subsumeReport},
 * {@code subsumeCheck} and {@code subsumeDiagnose}. Each setting of {@link SubsumeExtension} may also be given as
 * {@code -Psubsume.NAME=VALUE}.
 */
public final class SubsumePlugin implements Plugin<Project> {
    static final String GROUP = "verification";

    @Override
    public void apply(Project project) {
        SubsumeExtension settings = project.getExtensions().create("subsume", SubsumeExtension.class);
        setDefaults(project, settings);
        Provider<Installation> installation = project.provider(() -> installation(project, settings));
        if (!Diagnosing.isPrepared(project)) {
            record(project, settings, installation);
        }
        Provider<MergeTask> merge = addMerge(project, settings, installation);
        addAnswers(project, settings, installation, merge);
        String root = project.getRootDir().getPath();
        Diagnosing.add(project, settings, installation, project.provider(() -> moreOptions(settings, root)));
    }

    private static void record(Project project, SubsumeExtension settings, Provider<Installation> installation) {
        project.getTasks().withType(Test.class).configureEach(
                task -> task.getJvmArgumentProviders().add(record(task, settings, installation)));
        project.getTasks().withType(JavaExec.class).configureEach(task -> {
            task.getJvmArgumentProviders().add(record(task, settings, installation));
            // A program is wanted to run again.
            task.getOutputs().upToDateWhen(new Never());
        });
    }

    private static Provider<MergeTask> addMerge(
            Project project, SubsumeExtension settings, Provider<Installation> installation) {
        return project.getTasks().register("subsumeMerge", MergeTask.class, task -> {
            task.setGroup(GROUP);
            task.setDescription("Merges the profiles of the tests' JVMs.");
            task.getInstallation().set(installation);
            task.getMerged().set(settings.getFolder().file("profile.subsume"));
            for (String name : settings.getTasks().get()) {
                task.dependsOn(name);
                task.getProfiles().from(settings.getFolder().dir(name));
            }
            task.onlyIf(new NotSkipped(settings.getSkip()));
        });
    }

    private static void addAnswers(
            Project project,
            SubsumeExtension settings,
            Provider<Installation> installation,
            Provider<MergeTask> merge) {
        project.getTasks().register("subsumeReport", ReportTask.class, task -> {
            task.setDescription("Writes a page and a summary of what the tests execute.");
            compare(task, project, settings, installation, merge);
            SourceSetContainer sets = project.getExtensions().findByType(SourceSetContainer.class);
            if (sets != null) {
                task.getSources().from(sets.getByName(SourceSet.MAIN_SOURCE_SET_NAME).getAllJava().getSourceDirectories());
            }
        });
        project.getTasks().register("subsumeCheck", CheckTask.class, task -> {
            task.setDescription("Fails if the tests execute more than is allowed.");
            compare(task, project, settings, installation, merge);
            task.getBounds().set(settings.getBounds());
            task.getMaxBytecodes().set(settings.getMaxBytecodes().map(Number::longValue));
            task.getMaxIncrease().set(settings.getMaxIncrease().map(Number::doubleValue));
            task.getFailIf().set(project.provider(() -> new ArrayList<>(settings.getFailIf().get())));
            task.getFailOnIncrease().set(settings.getFailOnIncrease());
        });
    }

    private static void setDefaults(Project project, SubsumeExtension settings) {
        settings.getCommand().convention(given(project, "command").orElse("subsume"));
        settings.getAgent().convention(
                given(project, "agent").orElse(project.getProviders().environmentVariable("SUBSUME_AGENT")));
        settings.getFolder().convention(project.getLayout().getBuildDirectory().dir("subsume"));
        settings.getMode().convention(given(project, "mode"));
        settings.getOptions().convention(given(project, "options").orElse(""));
        settings.getTasks().convention(List.of("test"));
        settings.getBaseline().convention(given(project, "baseline"));
        settings.getMaxIncrease().convention(number(project, "maxIncrease").orElse(1));
        settings.getMaxBytecodes().convention(number(project, "maxBytecodes"));
        settings.getFailIf().convention(given(project, "failIf").map(List::of).orElse(List.of()));
        settings.getFailOnIncrease().convention(given(project, "failOnIncrease").orElse("true").map(Boolean::valueOf));
        settings.getUnder().convention(given(project, "under"));
        settings.getWithout().convention(given(project, "without").orElse("jvm-start;class-loading"));
        settings.getSkip().convention(
                given(project, "skip").orElse("false").map(SubsumePlugin::isTrue));
        settings.getTestTask().convention(given(project, "testTask")
                .orElse(settings.getTasks().map(names -> names.isEmpty() ? "test" : names.get(0))));
        settings.getWithin().convention(given(project, "within").orElse("10m"));
        settings.getAgainst().convention(given(project, "against"));
        settings.getFailAbove().convention(number(project, "failAbove"));
        settings.getGradleCommand().convention(given(project, "gradleCommand"));
    }

    static boolean isTrue(String text) {
        return text.isEmpty() || Boolean.parseBoolean(text);
    }

    static Provider<String> given(Project project, String name) {
        return project.getProviders().gradleProperty("subsume." + name);
    }

    private static Provider<Number> number(Project project, String name) {
        return given(project, name).map(text -> {
            try {
                return new BigDecimal(text);
            } catch (NumberFormatException wrong) {
                throw new GradleException("subsume." + name + " is not a number: " + text, wrong);
            }
        });
    }

    private static Installation installation(Project project, SubsumeExtension settings) {
        String path = project.getProviders().environmentVariable("PATH").getOrElse("");
        return new Installation(settings.getCommand().get(), settings.getAgent().getOrNull(), path);
    }

    /**
     * Has a task's JVMs write profiles, which are an output of the task. A task may be configured before
     * the settings, so these are asked when it runs.
     */
    private static AgentArgument record(Task task, SubsumeExtension settings, Provider<Installation> installation) {
        Project project = task.getProject();
        Provider<File> profiles = settings.getFolder().dir(task.getName()).map(Directory::getAsFile);
        task.doFirst(new EmptyFolder(profiles, settings.getSkip()));
        task.getOutputs().dir(profiles).withPropertyName("subsume");
        String root = project.getRootDir().getPath();
        Provider<String> options = project.provider(
                () -> options(settings, settings.getMode().getOrElse(judgesLoops(task) ? "loops" : "calls"), root));
        return new AgentArgument(installation, profiles, options, settings.getSkip());
    }

    /** The extension of JUnit needs loops; a recording of them has the calls, too. */
    private static boolean judgesLoops(Task task) {
        return task instanceof Test
                && ((Test) task).getClasspath().getFiles().stream()
                        .anyMatch(file -> file.getName().startsWith("subsume-junit"));
    }

    private static String options(SubsumeExtension settings, String mode, String root) {
        String more = moreOptions(settings, root);
        return more.isEmpty() ? "mode=" + mode : "mode=" + mode + "," + more;
    }

    /** The options of the user, and what is the build's own code, unless they say so. */
    private static String moreOptions(SubsumeExtension settings, String root) {
        String options = settings.getOptions().get();
        // The classes of all projects of the build are one's own, also in their archives.
        if (!options.contains("own=") && root.indexOf(',') < 0 && root.indexOf(';') < 0) {
            String own = "own=" + root + "/*build/classes/*;" + root + "/*build/libs/*.jar";
            return options.isEmpty() ? own : options + "," + own;
        }
        return options;
    }

    private static void compare(
            ComparingTask task,
            Project project,
            SubsumeExtension settings,
            Provider<Installation> installation,
            Provider<MergeTask> merge) {
        task.setGroup(GROUP);
        task.dependsOn(merge);
        task.getInstallation().set(installation);
        task.getMerged().set(merge.flatMap(MergeTask::getMerged));
        task.getRoot().set(project.getRootDir());
        task.getBaseline().set(settings.getBaseline());
        task.getUnder().set(settings.getUnder());
        task.getWithout().set(settings.getWithout());
        task.onlyIf(new NotSkipped(settings.getSkip()));
        SourceSetContainer sets = project.getExtensions().findByType(SourceSetContainer.class);
        if (sets != null) {
            ConfigurableFileCollection classes = task.getClasses();
            sets.forEach(set -> classes.from(set.getOutput().getClassesDirs()));
        }
    }
}
