package subsume.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Has the JVMs of tests recorded: the agent is put into the property that Surefire and Failsafe take
 * their JVMs' arguments from. Each JVM writes a profile of its own, named after its process.
 */
@Mojo(name = "record", defaultPhase = LifecyclePhase.INITIALIZE, threadSafe = true)
public final class RecordMojo extends RecordingMojo {
    /** The property that gets the agent, before what is in it. */
    @Parameter(property = "subsume.propertyName", defaultValue = "argLine")
    private String propertyName;

    /** What to record: a mode of the agent; otherwise what the tests of the module need. */
    @Parameter(property = "subsume.mode")
    private String mode;

    @Override
    void perform() throws MojoExecutionException {
        Path library = library();
        Recording recording = recording();
        if (isOfThisBuild()) {
            recording.removeBefore(session.getRequest().getStartTime().getTime());
            recording.removeComment();
        }
        try {
            Files.createDirectories(recording.forks());
        } catch (IOException impossible) {
            throw new MojoExecutionException(recording.forks() + " cannot be made", impossible);
        }
        String more = moreOptions();
        String argument = "-agentpath:" + library + "=out=" + template(recording) + ",mode=" + mode()
                + (more.isEmpty() ? "" : "," + more);
        String line = AgentArgument.put(argument, propertyName, project.getProperties());
        getLog().info(propertyName + " set to " + line);
    }

    /**
     * The extension of JUnit needs loops, and a recording of them has the calls, too, with the same counts.
     */
    private String mode() {
        if (mode != null) {
            return mode;
        }
        boolean judgesLoops = project.getDependencies().stream()
                .anyMatch(one -> one.getGroupId().equals("subsume") && one.getArtifactId().equals("subsume-junit"));
        return judgesLoops ? "loops" : "calls";
    }

    /**
     * Whether tests follow whose profiles are wanted. A goal such as {@code subsume:diagnose} has the
     * phases before it done for a copy of the module; what the build has recorded is not touched then.
     */
    private boolean isOfThisBuild() {
        return session.getAllProjects().stream().anyMatch(module -> module == project);
    }

    /** Arguments that begin with the property would not be found otherwise. */
    @Override
    void skipped() {
        project.getProperties().putIfAbsent(propertyName, "");
    }

    /** The name of a JVM's profile, in which the agent puts the number of the process. */
    private static String template(Recording recording) throws MojoExecutionException {
        String folder = recording.forks().toAbsolutePath().toString();
        if (folder.indexOf(',') >= 0) {
            throw new MojoExecutionException(folder + ": the agent's options cannot name a folder with a comma");
        }
        return folder.replace("%", "%%") + "/%p.subsume";
    }
}
