package subsume.gradle;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.gradle.api.GradleException;

/**
 * The classes that a project was compiled to, by their packages. What lies below them is what tests
 * do; what runs the tests does more or less with every build.
 */
final class OwnClasses {
    private OwnClasses() {}

    /** A pattern for the methods of the classes in these folders, or {@code null} if there are none. */
    static String methods(Iterable<File> folders) {
        Set<String> patterns = new TreeSet<>();
        for (File folder : folders) {
            if (!folder.isDirectory()) {
                continue;
            }
            Path root = folder.toPath();
            try (Stream<Path> files = Files.walk(root)) {
                files.map(root::relativize).forEach(file -> add(file, patterns));
            } catch (IOException impossible) {
                throw new GradleException(folder + " cannot be read", impossible);
            }
        }
        patterns.removeIf(one -> patterns.stream().anyMatch(other -> !one.equals(other)
                && one.startsWith(other.substring(0, other.length() - 1))));
        return patterns.isEmpty() ? null : String.join(";", patterns);
    }

    private static void add(Path file, Set<String> patterns) {
        String name = file.getFileName().toString();
        if (!name.endsWith(".class") || name.equals("module-info.class")) {
            return;
        }
        Path parent = file.getParent();
        if (parent == null) {
            patterns.add(name.substring(0, name.length() - ".class".length()) + ".*");
        } else if (!parent.startsWith("META-INF")) {
            patterns.add(parent.toString().replace(File.separatorChar, '.') + ".*");
        }
    }
}
