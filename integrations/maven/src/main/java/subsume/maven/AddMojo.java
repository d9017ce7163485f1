package subsume.maven;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Adds what was recorded to a fleet: a run of the module, with its version as a label. */
@Mojo(name = "add", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class AddMojo extends ProfileMojo {
    /** The folder of the fleet; nothing is added without one. */
    @Parameter(property = "subsume.fleet")
    private File fleet;

    /**
     * Labels of the run. They come on top of {@code program}, the module's artifact, and {@code version},
     * its version, and replace them.
     */
    @Parameter
    private Map<String, String> labels = new LinkedHashMap<>();

    @Override
    void perform() throws MojoExecutionException {
        if (fleet == null) {
            getLog().info("nothing is added: subsume.fleet names no folder");
            return;
        }
        if (recording().profiles().isEmpty()) {
            getLog().info("nothing is added: no JVM of " + project.getId() + " had the agent");
            return;
        }
        Subsume subsume = Subsume.find(command);
        Path profile = recording().merge(folder.toPath().resolve("profile.subsume"), subsume);
        Map<String, String> all = new LinkedHashMap<>();
        all.put("program", project.getArtifactId());
        all.put("version", project.getVersion());
        all.putAll(labels);
        List<String> line = new ArrayList<>(List.of("fleet", "add", fleet.toString(), profile.toString()));
        all.forEach((key, value) -> line.addAll(List.of("--label", key + "=" + value)));
        subsume.ask(line).lines().forEach(getLog()::info);
    }
}
