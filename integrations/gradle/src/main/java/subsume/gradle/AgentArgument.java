package subsume.gradle;

import java.io.File;
import java.util.List;
import org.gradle.api.GradleException;
import org.gradle.api.provider.Provider;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Optional;
import org.gradle.process.CommandLineArgumentProvider;

/** Gives the agent to the JVMs of a task; each writes a profile named after its process. */
final class AgentArgument implements CommandLineArgumentProvider {
    private final Provider<Installation> installation;
    private final Provider<File> profiles;
    private final Provider<String> options;
    private final Provider<Boolean> skip;

    AgentArgument(
            Provider<Installation> installation,
            Provider<File> profiles,
            Provider<String> options,
            Provider<Boolean> skip) {
        this.installation = installation;
        this.profiles = profiles;
        this.options = options;
        this.skip = skip;
    }

    /** What the task's result depends on; where its profiles go is an output of the task. */
    @Input
    public String getOptions() {
        return options.get();
    }

    @Input
    public boolean isSkipped() {
        return skip.get();
    }

    @Input
    @Optional
    public String getAgent() {
        return installation.get().agent();
    }

    @Override
    public Iterable<String> asArguments() {
        if (skip.get()) {
            return List.of();
        }
        String folder = profiles.get().getPath();
        if (folder.indexOf(',') >= 0) {
            throw new GradleException(folder + ": the agent's options cannot name a folder with a comma");
        }
        return List.of("-agentpath:" + installation.get().library() + "=out=" + folder.replace("%", "%%") + "/%p.subsume,"
                + options.get());
    }
}
