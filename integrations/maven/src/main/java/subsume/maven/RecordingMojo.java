package subsume.maven;

import java.io.File;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.Parameter;

/** A goal that gives the agent to JVMs. */
abstract class RecordingMojo extends ProfileMojo {
    /** The agent's library; otherwise the one that was installed with the command. */
    @Parameter(property = "subsume.agent")
    private File agent;

    /** More options of the agent, such as {@code exclude=org.example.generated.*}. */
    @Parameter(property = "subsume.options")
    private String options;

    final Path library() throws MojoExecutionException {
        if (agent == null) {
            String environment = System.getenv("SUBSUME_AGENT");
            return environment != null ? existing(new File(environment)) : Subsume.find(command).agent();
        }
        return existing(agent);
    }

    /** The options of the user, and what is the build's own code, unless they say so; with commas between them. */
    final String moreOptions() {
        boolean isSaid = options != null && Stream.of(options.split(",")).anyMatch(one -> one.startsWith("own="));
        String own = isSaid ? "" : OwnPlaces.option(session.getAllProjects());
        return options == null || own.isEmpty() ? (options != null ? options : own) : options + "," + own;
    }

    private static Path existing(File library) throws MojoExecutionException {
        if (!library.isFile()) {
            throw new MojoExecutionException(library + ": there is no such library");
        }
        return library.toPath().toAbsolutePath();
    }
}
