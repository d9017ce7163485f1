package subsume.gradle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.gradle.api.GradleException;

/** A folder of {@code subsume diagnose}: recordings of the tests of one project. */
final class Diagnosis {
    private static final List<String> NOTES = List.of("diagnosis.json", "input");

    private final Path folder;

    Diagnosis(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    Path folder() {
        return folder;
    }

    /** Whether it has recordings. */
    boolean exists() {
        return files().stream().anyMatch(file -> file.toString().endsWith(".subsume"));
    }

    /** The folder of another diagnosis beside it. */
    Diagnosis beside(String what) {
        return new Diagnosis(folder.resolveSibling(folder.getFileName() + "-" + what));
    }

    boolean isAt(Diagnosis other) {
        return folder.equals(other.folder);
    }

    /** Moves it to the place of another one. */
    void replace(Diagnosis other) {
        other.remove();
        try {
            Files.move(folder, other.folder);
        } catch (IOException impossible) {
            throw new GradleException(folder + " cannot be moved to " + other.folder, impossible);
        }
    }

    /** Refuses a folder of something else, which must stay. */
    void check() {
        if (!files().stream().allMatch(Diagnosis::isPart)) {
            throw new GradleException(
                    folder + " has other files than those of a diagnosis; name another folder with subsume.folder");
        }
    }

    void remove() {
        check();
        try {
            for (Path file : files()) {
                Files.delete(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException impossible) {
            throw new GradleException(folder + " cannot be removed", impossible);
        }
    }

    private static boolean isPart(Path file) {
        String name = file.getFileName().toString();
        return Files.isRegularFile(file)
                && (NOTES.contains(name) || name.endsWith(".subsume") || name.endsWith(".out"));
    }

    private List<Path> files() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        } catch (IOException impossible) {
            throw new GradleException(folder + " cannot be read", impossible);
        }
    }
}
