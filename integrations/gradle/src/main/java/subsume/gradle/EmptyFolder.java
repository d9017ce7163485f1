package subsume.gradle;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import org.gradle.api.Action;
import org.gradle.api.GradleException;
import org.gradle.api.Task;
import org.gradle.api.provider.Provider;

/** Removes profiles of earlier runs before a task runs, unless nothing is recorded. */
final class EmptyFolder implements Action<Task> {
    private final Provider<File> place;
    private final Provider<Boolean> skip;

    EmptyFolder(Provider<File> place, Provider<Boolean> skip) {
        this.place = place;
        this.skip = skip;
    }

    @Override
    public void execute(Task task) {
        if (skip.get()) {
            return;
        }
        File folder = place.get();
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
