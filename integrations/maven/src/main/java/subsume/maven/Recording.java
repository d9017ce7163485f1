package subsume.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.maven.plugin.MojoExecutionException;

/** The profiles of one module: one of each JVM that ran its tests. */
final class Recording {
    private static final String ENDING = ".subsume";

    /** What the goal {@code check} found, for a comment on the change. */
    static final String COMMENT = "check.md";

    private final Path folder;

    /** The recording in a folder, which may not be there yet. */
    Recording(Path folder) {
        this.folder = folder;
    }

    /** Where JVMs write. */
    Path forks() {
        return folder.resolve("forks");
    }

    /** The profiles that JVMs have written, in the order of their names. */
    List<Path> profiles() throws MojoExecutionException {
        if (!Files.isDirectory(forks())) {
            return Collections.emptyList();
        }
        try (Stream<Path> files = Files.list(forks())) {
            return files.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
        } catch (IOException impossible) {
            throw new MojoExecutionException(forks() + " cannot be read", impossible);
        }
    }

    /** Removes what earlier builds left, which would be taken for this one's. */
    void removeBefore(long millis) throws MojoExecutionException {
        for (Path profile : profiles()) {
            try {
                if (Files.getLastModifiedTime(profile).toMillis() < millis) {
                    Files.delete(profile);
                }
            } catch (IOException impossible) {
                throw new MojoExecutionException(profile + " cannot be removed", impossible);
            }
        }
    }

    /** Removes what the goal {@code check} found in an earlier build. */
    void removeComment() throws MojoExecutionException {
        Path comment = folder.resolve(COMMENT);
        try {
            Files.deleteIfExists(comment);
        } catch (IOException impossible) {
            throw new MojoExecutionException(comment + " cannot be removed", impossible);
        }
    }

    /**
     * Makes one profile of those of all JVMs.
     *
     * <p>Classes that JVMs generate get names that do not depend on the JVM: the same number is another
     * class in another one. A profile that is alone is kept as it is, since it may hold data flow, which
     * merging leaves out.
     */
    Path merge(Path merged, Subsume subsume) throws MojoExecutionException {
        List<Path> profiles = profiles();
        try {
            Files.createDirectories(merged.getParent());
            if (profiles.size() == 1) {
                return Files.copy(profiles.get(0), merged, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException impossible) {
            throw new MojoExecutionException(merged + " cannot be written", impossible);
        }
        List<String> arguments = new ArrayList<>(List.of("merge", "--normalise", "-o", merged.toString()));
        profiles.forEach(profile -> arguments.add(profile.toString()));
        subsume.ask(arguments);
        return merged;
    }
}
