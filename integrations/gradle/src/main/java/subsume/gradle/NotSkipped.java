package subsume.gradle;

import org.gradle.api.Task;
import org.gradle.api.provider.Provider;
import org.gradle.api.specs.Spec;

/** Holds unless the build leaves recording out. */
final class NotSkipped implements Spec<Task> {
    private final Provider<Boolean> skip;

    NotSkipped(Provider<Boolean> skip) {
        this.skip = skip;
    }

    @Override
    public boolean isSatisfiedBy(Task task) {
        return !skip.get();
    }
}
