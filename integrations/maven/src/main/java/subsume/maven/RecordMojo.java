package subsume.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Has the JVMs of tests recorded: the agent is put into the property that Surefire and Failsafe take
 * their JVMs' arguments from. Each JVM writes a profile of its own, named after its process.
 */
@Mojo(name = "record", defaultPhase = LifecyclePhase.INITIALIZE, threadSafe = true)
public final class RecordMojo extends ProfileMojo {
    /** The agent's library; otherwise the one that was installed with the command. */
    @Parameter(property = "subsume.agent")
    private File agent;

    /** The property that gets the agent, before what is in it. */
    @Parameter(property = "subsume.propertyName", defaultValue = "argLine")
    private String propertyName;

    /** What to record: a mode of the agent. */
    @Parameter(property = "subsume.mode", defaultValue = "calls")
    private String mode;

    /** More options of the agent, such as {@code exclude=org.example.generated.*}. */
    @Parameter(property = "subsume.options")
    private String options;

    @Override
    void perform() throws MojoExecutionException {
        Path library = library();
        Recording recording = recording();
        recording.removeBefore(session.getRequest().getStartTime().getTime());
        recording.removeComment();
        try {
            Files.createDirectories(recording.forks());
        } catch (IOException impossible) {
            throw new MojoExecutionException(recording.forks() + " cannot be made", impossible);
        }
        String argument = "-agentpath:" + library + "=out=" + template(recording) + ",mode=" + mode
                + (options != null ? "," + options : "") + own();
        Properties properties = project.getProperties();
        String before = properties.getProperty(propertyName, "").strip();
        String line = (quoted(argument) + " " + before).strip();
        properties.setProperty(propertyName, line);
        getLog().info(propertyName + " set to " + line);
    }

    /** What is the build's own code, unless the options say so themselves. */
    private String own() {
        boolean isSaid = options != null && Stream.of(options.split(",")).anyMatch(one -> one.startsWith("own="));
        return isSaid ? "" : OwnPlaces.option(session.getAllProjects());
    }

    /** Arguments that begin with the property would not be found otherwise. */
    @Override
    void skipped() {
        project.getProperties().putIfAbsent(propertyName, "");
    }

    private Path library() throws MojoExecutionException {
        if (agent == null) {
            String environment = System.getenv("SUBSUME_AGENT");
            return environment != null ? existing(new File(environment)) : Subsume.find(command).agent();
        }
        return existing(agent);
    }

    private static Path existing(File library) throws MojoExecutionException {
        if (!library.isFile()) {
            throw new MojoExecutionException(library + ": there is no such library");
        }
        return library.toPath().toAbsolutePath();
    }

    /** The name of a JVM's profile, in which the agent puts the number of the process. */
    private static String template(Recording recording) throws MojoExecutionException {
        String folder = recording.forks().toAbsolutePath().toString();
        if (folder.indexOf(',') >= 0) {
            throw new MojoExecutionException(folder + ": the agent's options cannot name a folder with a comma");
        }
        return folder.replace("%", "%%") + "/%p.subsume";
    }

    /** As one argument on a line. */
    private static String quoted(String argument) {
        return argument.chars().anyMatch(c -> Character.isWhitespace(c) || c == ';' || c == '*')
                ? '"' + argument + '"'
                : argument;
    }
}
