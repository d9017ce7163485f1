package subsume.gradle;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.gradle.api.GradleException;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.provider.Provider;
import org.gradle.api.tasks.testing.Test;

/** Adds the task {@code subsumeDiagnose} to a project, and prepares the builds that this task starts. */
final class Diagnosing {
    private Diagnosing() {}

    /** Whether this build runs tests for a diagnosis. Then one task gets the options for it. */
    static boolean isPrepared(Project project) {
        Provider<String> options = project.getProviders().environmentVariable(NestedBuild.TEST_OPTIONS);
        Provider<String> path = project.getProviders().environmentVariable(NestedBuild.TEST_TASK);
        if (!options.isPresent() || !path.isPresent()) {
            return false;
        }
        project.getTasks().withType(Test.class).configureEach(task -> {
            if (task.getPath().equals(path.get())) {
                task.getJvmArgumentProviders().add(new TestJvmOptions(options.get()));
                task.getOutputs().upToDateWhen(new Never());
                // The build may configure the task after this.
                task.doFirst(new OneJvm());
            }
        });
        // A recorded run takes several times as long.
        project.getGradle().getTaskGraph().whenReady(graph -> graph.getAllTasks().stream()
                .filter(task -> task.getPath().equals(path.get()))
                .forEach(task -> task.getTimeout().set((Duration) null)));
        return true;
    }

    static void add(
            Project project,
            SubsumeExtension settings,
            Provider<Installation> installation,
            Provider<String> agentOptions) {
        Provider<OneAtATime> oneAtATime = project.getGradle().getSharedServices()
                .registerIfAbsent(
                        "subsumeDiagnosis", OneAtATime.class, service -> service.getMaxParallelUsages().set(1));
        String prefix = project.getPath().endsWith(":") ? project.getPath() : project.getPath() + ":";
        project.getTasks().register("subsumeDiagnose", DiagnoseTask.class, task -> {
            task.setGroup(SubsumePlugin.GROUP);
            task.setDescription("Says what the tests waste, where, and what a change would save.");
            task.notCompatibleWithConfigurationCache("it starts builds with the command line of this one");
            task.usesService(oneAtATime);
            task.getInstallation().set(installation);
            task.getTestBuild().set(new NestedBuild(project, settings.getGradleCommand().getOrNull()));
            task.getTestTask().set(settings.getTestTask().map(prefix::concat));
            task.getTest().set(SubsumePlugin.given(project, "test"));
            task.getWithin().set(settings.getWithin());
            task.getAgentOptions().set(agentOptions);
            task.getAgainst().set(settings.getAgainst());
            task.getFailAbove().set(settings.getFailAbove());
            task.getDiagnosis().set(settings.getFolder().dir("diagnosis"));
            task.getContinued().set(
                    SubsumePlugin.given(project, "continue").orElse("false").map(SubsumePlugin::isTrue));
            task.getProjectFolder().set(project.getProjectDir());
            task.onlyIf(new NotSkipped(settings.getSkip()));
            // What does not compile is told by this build. Tests of this build do not run meanwhile.
            task.getTestClasses().from((Callable<?>) () -> tests(project, settings).getTestClassesDirs());
            task.dependsOn((Callable<?>) () -> tests(project, settings).getClasspath());
            task.mustRunAfter((Callable<?>) () -> tests(project, settings));
        });
    }

    /** The task whose tests are diagnosed. */
    private static Test tests(Project project, SubsumeExtension settings) {
        String name = settings.getTestTask().get();
        Task task = project.getTasks().findByName(name);
        if (task instanceof Test) {
            return (Test) task;
        }
        throw new GradleException(
                project + " has no task '" + name + "' that runs tests: name one with subsume.testTask");
    }
}
