package subsume.gradle;

import java.io.Serializable;
import org.gradle.api.Task;
import org.gradle.api.specs.Spec;

/** Holds unless the build leaves recording out. */
final class NotSkipped implements Spec<Task>, Serializable {
    private static final long serialVersionUID = 1;

    private final boolean isSkipped;

    NotSkipped(boolean isSkipped) {
        this.isSkipped = isSkipped;
    }

    @Override
    public boolean isSatisfiedBy(Task task) {
        return !isSkipped;
    }
}
