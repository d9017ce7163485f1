package subsume.gradle;

import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import org.gradle.api.Action;
import org.gradle.api.GradleException;
import org.gradle.api.Task;

/** Removes profiles of earlier runs before a task runs. */
final class EmptyFolder implements Action<Task>, Serializable {
    private static final long serialVersionUID = 1;

    private final File folder;

    EmptyFolder(File folder) {
        this.folder = folder;
    }

    @Override
    public void execute(Task task) {
        try {
            Files.createDirectories(folder.toPath());
            for (File file : folder.listFiles()) {
                Files.delete(file.toPath());
            }
        } catch (IOException impossible) {
            throw new GradleException(folder + " cannot be emptied: " + impossible.getMessage(), impossible);
        }
    }
}
