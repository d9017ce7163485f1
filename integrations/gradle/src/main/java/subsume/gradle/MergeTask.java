package subsume.gradle;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.DefaultTask;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.RegularFileProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.OutputFile;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.api.tasks.TaskAction;

/** Merges the profiles of all JVMs of the tests into one, which is a baseline for later builds. */
public abstract class MergeTask extends DefaultTask {
    @Internal
    abstract Property<Installation> getInstallation();

    /** The folders with the profiles. */
    @InputFiles
    @PathSensitive(PathSensitivity.RELATIVE)
    public abstract ConfigurableFileCollection getProfiles();

    @OutputFile
    public abstract RegularFileProperty getMerged();

    @TaskAction
    void merge() {
        File merged = getMerged().get().getAsFile();
        List<String> line = new ArrayList<>(List.of("merge", "--normalise", "-o", merged.getPath()));
        for (File file : getProfiles().getAsFileTree()) {
            if (file.getName().endsWith(".subsume")) {
                line.add(file.getPath());
            }
        }
        if (line.size() > 4) {
            getInstallation().get().ask(line);
            return;
        }
        merged.delete();
        getLogger().warn("no JVM of " + getPath().replaceFirst(":[^:]*$", "") + " had the agent, so nothing was recorded");
    }
}
