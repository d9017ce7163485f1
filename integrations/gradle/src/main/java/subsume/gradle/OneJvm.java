package subsume.gradle;

import org.gradle.api.Action;
import org.gradle.api.Task;
import org.gradle.api.tasks.testing.Test;
import org.gradle.api.tasks.testing.logging.TestLogEvent;

/** Has tests run in one JVM, which a diagnosis describes. Tests that fail end the build, and are named. */
final class OneJvm implements Action<Task> {
    @Override
    public void execute(Task task) {
        Test test = (Test) task;
        // The setter has another type in each release.
        test.setProperty("forkEvery", 0L);
        test.setMaxParallelForks(1);
        test.setIgnoreFailures(false);
        test.getTestLogging().getQuiet().events(TestLogEvent.FAILED);
    }
}
