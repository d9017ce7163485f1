package subsume.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.maven.plugin.MojoExecutionException;

/**
 * The classes that a module was compiled to, by their packages.
 *
 * <p>What lies below them is what tests do, and the same in every build. What runs the tests does more
 * or less with every build: Surefire's threads poll, and race with the end of the JVM.
 */
final class OwnClasses {
    private static final String ENDING = ".class";

    /** Packages with classes, of several that lie in each other the outermost. */
    private final Set<String> packages = new TreeSet<>();
    /** Classes in no package. */
    private final Set<String> unnamed = new TreeSet<>();

    /** The classes in these folders, which need not be there. */
    static OwnClasses in(List<File> folders) throws MojoExecutionException {
        OwnClasses own = new OwnClasses();
        for (File folder : folders) {
            if (folder.isDirectory()) {
                own.add(folder.toPath());
            }
        }
        own.packages.removeIf(own::liesInAnother);
        return own;
    }

    boolean isEmpty() {
        return packages.isEmpty() && unnamed.isEmpty();
    }

    /** A pattern for their methods. */
    String methods() {
        return pattern(".*");
    }

    /** Whether a profile has a method of theirs. */
    boolean areIn(Path profile, Subsume subsume) throws MojoExecutionException {
        List<String> question = List.of("methods", "--all", "--top", "1", "--class", pattern(""), profile.toString());
        return !subsume.json(question).getAsJsonArray("methods").isEmpty();
    }

    private void add(Path folder) throws MojoExecutionException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.map(folder::relativize).filter(file -> file.toString().endsWith(ENDING)).forEach(this::addClass);
        } catch (IOException impossible) {
            throw new MojoExecutionException(folder + " cannot be read", impossible);
        }
    }

    private void addClass(Path file) {
        String path = file.toString();
        Path parent = file.getParent();
        if (parent != null && !parent.startsWith("META-INF")) {
            packages.add(parent.toString().replace(File.separatorChar, '.'));
        } else if (parent == null && !path.equals("module-info" + ENDING)) {
            unnamed.add(path.substring(0, path.length() - ENDING.length()));
        }
    }

    private boolean liesInAnother(String name) {
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
            if (packages.contains(name.substring(0, dot))) {
                return true;
            }
        }
        return false;
    }

    private String pattern(String afterClass) {
        List<String> alternatives = new ArrayList<>();
        packages.forEach(name -> alternatives.add(name + ".*"));
        unnamed.forEach(name -> alternatives.add(name + afterClass));
        return String.join(";", alternatives);
    }
}
