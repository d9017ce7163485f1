package subsume.gradle;

import java.io.File;
import java.util.List;
import org.gradle.api.GradleException;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.Optional;
import org.gradle.process.CommandLineArgumentProvider;

/** Gives the agent to the JVMs of a task; each writes a profile named after its process. */
final class AgentArgument implements CommandLineArgumentProvider {
    private final Installation installation;
    private final File profiles;
    private final String options;

    AgentArgument(Installation installation, File profiles, String options) {
        this.installation = installation;
        this.profiles = profiles;
        this.options = options;
    }

    /** What the task's result depends on; where its profiles go is an output of the task. */
    @Input
    public String getOptions() {
        return options;
    }

    @Input
    @Optional
    public String getAgent() {
        return installation.agent();
    }

    @Internal
    public File getProfiles() {
        return profiles;
    }

    @Override
    public Iterable<String> asArguments() {
        String folder = profiles.getPath();
        if (folder.indexOf(',') >= 0) {
            throw new GradleException(folder + ": the agent's options cannot name a folder with a comma");
        }
        return List.of("-agentpath:" + installation.library() + "=out=" + folder.replace("%", "%%") + "/%p.subsume,"
                + options);
    }
}
