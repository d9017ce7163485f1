package subsume.maven;

import java.io.File;
import java.nio.file.Path;
import org.apache.maven.plugin.MojoExecutionException;

/** What a recording is compared with. */
final class Baseline {
    private final File named;
    /** Where the build was started, and the folder of this module's profiles. */
    private final Path root;
    private final Path folder;

    Baseline(File named, Path root, Path folder) {
        this.named = named;
        this.root = root.toAbsolutePath().normalize();
        this.folder = folder.toAbsolutePath().normalize();
    }

    /**
     * The profile, or {@code null} if another checkout was built that has none of this module.
     *
     * @param merged where the profiles of the JVMs of another checkout are made one
     */
    Path profile(Path merged, Subsume subsume) throws MojoExecutionException {
        if (named.isFile()) {
            return named.toPath();
        }
        if (!named.isDirectory()) {
            throw new MojoExecutionException(named
                    + ": there is no such baseline; it is a profile, or the folder of another checkout that was built");
        }
        if (!folder.startsWith(root)) {
            throw new MojoExecutionException(folder + " lies outside " + root
                    + ", so its place in " + named + " is not known: the baseline must be a profile");
        }
        Recording other = new Recording(named.toPath().resolve(root.relativize(folder)));
        if (!other.profiles().isEmpty()) {
            return other.merge(merged, subsume);
        }
        return null;
    }
}
