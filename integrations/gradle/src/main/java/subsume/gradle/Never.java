package subsume.gradle;

import java.io.Serializable;
import org.gradle.api.Task;
import org.gradle.api.specs.Spec;

/** Holds of no task. */
final class Never implements Spec<Task>, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public boolean isSatisfiedBy(Task task) {
        return false;
    }
}
