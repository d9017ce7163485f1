package subsume.gradle;

import org.gradle.api.GradleException;

/** The profile does not have the methods that are asked for. */
final class AbsentException extends GradleException {
    AbsentException(String message) {
        super(message);
    }
}
