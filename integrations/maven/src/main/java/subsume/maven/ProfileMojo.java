package subsume.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/** What the goals have in common: the module's folder of profiles, and the command. */
abstract class ProfileMojo extends AbstractMojo {
    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    MavenProject project;

    @Parameter(defaultValue = "${session}", readonly = true, required = true)
    MavenSession session;

    /** The command {@code subsume}; otherwise the one on the path. */
    @Parameter(property = "subsume.command")
    File command;

    /** Where profiles, and what is made of them, are kept. */
    @Parameter(property = "subsume.folder", defaultValue = "${project.build.directory}/subsume")
    File folder;

    /** Whether to do nothing. */
    @Parameter(property = "subsume.skip", defaultValue = "false")
    boolean skip;

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("subsume is skipped");
            skipped();
        } else {
            perform();
        }
    }

    /** What has to be done even then. */
    void skipped() {}

    abstract void perform() throws MojoExecutionException, MojoFailureException;

    /** What the JVMs of this build have recorded. */
    final Recording recording() {
        return new Recording(folder.toPath());
    }

    /** Writes a file of text into the folder. */
    final Path write(String name, String text) throws MojoExecutionException {
        Path file = folder.toPath().resolve(name);
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException impossible) {
            throw new MojoExecutionException(file + " cannot be written", impossible);
        }
        return file;
    }
}
