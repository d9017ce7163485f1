package subsume.gradle;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.RegularFileProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;
import org.gradle.work.DisableCachingByDefault;

/** A task on what was recorded, and what it is compared with. */
@DisableCachingByDefault(because = "it prints an answer")
public abstract class ComparingTask extends DefaultTask {
    @Internal
    abstract Property<Installation> getInstallation();

    @Internal
    public abstract RegularFileProperty getMerged();

    @Internal
    public abstract Property<File> getRoot();

    @Internal
    public abstract Property<String> getBaseline();

    @Internal
    public abstract Property<String> getUnder();

    @Internal
    public abstract Property<String> getWithout();

    /** The project's own classes. */
    @Internal
    public abstract ConfigurableFileCollection getClasses();

    @TaskAction
    void perform() {
        Path profile = getMerged().get().getAsFile().toPath();
        if (!Files.exists(profile)) {
            withoutProfiles(baseline());
            return;
        }
        compare(getInstallation().get(), profile, baseline());
    }

    /** Works on the profile of all JVMs, and on that of the baseline if there is one. */
    abstract void compare(Installation subsume, Path profile, Path baseline);

    /** What to do where nothing was recorded. */
    abstract void withoutProfiles(Path baseline);

    /** The options that choose what counts. */
    final List<String> selection() {
        List<String> options = new ArrayList<>();
        String methods = getUnder().getOrNull();
        if (methods == null) {
            methods = OwnClasses.methods(getClasses());
        }
        if (methods != null) {
            options.addAll(List.of("--under", methods));
        }
        options.addAll(List.of("--without", getWithout().get()));
        return options;
    }

    /** The baseline's profile, or {@code null} if there is none of this project. */
    private Path baseline() {
        if (!getBaseline().isPresent()) {
            return null;
        }
        Path named = getRoot().get().toPath().resolve(getBaseline().get());
        if (!Files.exists(named)) {
            throw new GradleException("the baseline " + named + " does not exist");
        }
        if (!Files.isDirectory(named)) {
            return named;
        }
        Path there = named.resolve(getRoot().get().toPath().relativize(getMerged().get().getAsFile().toPath()));
        if (Files.exists(there)) {
            return there;
        }
        getLogger().warn("nothing is compared: there is no profile of this project in " + named);
        return null;
    }

    /** Writes a file beside the profile. */
    final Path write(String name, String text) {
        Path file = getMerged().get().getAsFile().toPath().resolveSibling(name);
        try {
            return Files.writeString(file, text);
        } catch (IOException impossible) {
            throw new GradleException(file + " cannot be written: " + impossible.getMessage(), impossible);
        }
    }

    static List<String> inMarkdown(List<String> question) {
        List<String> line = new ArrayList<>(question);
        line.add(1, "--markdown");
        return line;
    }
}
