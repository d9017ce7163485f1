package subsume.maven;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.maven.plugin.MojoExecutionException;

/** A folder of {@code subsume diagnose}: recordings of the tests of one module. */
final class Diagnosis {
    /** What the command writes about the runs. */
    private static final String NOTES = "diagnosis.json";
    /** What the tests read as standard input. */
    private static final String INPUT = "input";

    private final Path folder;

    Diagnosis(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    Path folder() {
        return folder;
    }

    /** Whether it has recordings. */
    boolean exists() throws MojoExecutionException {
        return files().stream().anyMatch(file -> file.toString().endsWith(".subsume"));
    }

    /** The folder of another diagnosis beside it. */
    Diagnosis beside(String what) {
        return new Diagnosis(folder.resolveSibling(folder.getFileName() + "-" + what));
    }

    /** Moves it to the place of another one. */
    void replace(Diagnosis other) throws MojoExecutionException {
        other.remove();
        try {
            Files.move(folder, other.folder);
        } catch (IOException impossible) {
            throw new MojoExecutionException(folder + " cannot be moved to " + other.folder, impossible);
        }
    }

    boolean isAt(Diagnosis other) {
        return folder.equals(other.folder);
    }

    /** Refuses a folder of something else, which must stay. */
    void check() throws MojoExecutionException {
        if (!files().stream().allMatch(Diagnosis::isPart)) {
            throw new MojoExecutionException(folder + " has other files than those of a diagnosis; name another folder");
        }
    }

    void remove() throws MojoExecutionException {
        check();
        try {
            for (Path file : files()) {
                Files.delete(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException impossible) {
            throw new MojoExecutionException(folder + " cannot be removed", impossible);
        }
    }

    /**
     * Notes the processor time of the runs without the agent: of the sampled one, and of those that
     * follow it without samples. The command knows only that of its own processes, and Maven has
     * started the tests.
     */
    void notePlainMillis(List<Long> millis) throws MojoExecutionException {
        Path file = folder.resolve(NOTES);
        try {
            JsonObject notes = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
            for (JsonElement element : notes.getAsJsonArray("runs")) {
                JsonObject run = element.getAsJsonObject();
                if (run.get("mode").getAsString().equals("plain")) {
                    run.addProperty("cpu_millis", millis.get(0));
                    JsonArray timed = run.getAsJsonArray("timed");
                    for (int at = 0; at < timed.size() && at + 1 < millis.size(); at++) {
                        timed.get(at).getAsJsonObject().addProperty("cpu_millis", millis.get(at + 1));
                    }
                }
            }
            String text = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create().toJson(notes);
            Files.writeString(file, text);
        } catch (IOException impossible) {
            throw new MojoExecutionException(file + " cannot be changed", impossible);
        }
    }

    private static boolean isPart(Path file) {
        String name = file.getFileName().toString();
        return Files.isRegularFile(file)
                && (List.of(NOTES, INPUT).contains(name) || name.endsWith(".subsume") || name.endsWith(".out"));
    }

    private List<Path> files() throws MojoExecutionException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        } catch (IOException impossible) {
            throw new MojoExecutionException(folder + " cannot be read", impossible);
        }
    }
}
