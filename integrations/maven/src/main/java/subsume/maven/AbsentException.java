package subsume.maven;

import org.apache.maven.plugin.MojoExecutionException;

/** The profile does not have the methods that were asked for. */
final class AbsentException extends MojoExecutionException {
    private static final long serialVersionUID = 1L;

    AbsentException(String message) {
        super(message);
    }
}
