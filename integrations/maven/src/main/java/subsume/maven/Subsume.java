package subsume.maven;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;

/** The command {@code subsume}, which answers what is asked about profiles. */
final class Subsume {
    /** The exit code of a comparison in which a limit is broken. */
    private static final int OVER_LIMIT = 1;

    private final Path command;

    private Subsume(Path command) {
        this.command = command;
    }

    /** The command that a build names, or the one on the path. */
    static Subsume find(File named) throws MojoExecutionException {
        if (named != null) {
            if (!Files.isExecutable(named.toPath())) {
                throw new MojoExecutionException(named + " is no command: subsume.command must name subsume itself");
            }
            return new Subsume(named.toPath());
        }
        String path = System.getenv("PATH");
        for (String folder : (path != null ? path : "").split(File.pathSeparator)) {
            Path command = Path.of(folder, "subsume");
            if (Files.isRegularFile(command) && Files.isExecutable(command)) {
                return new Subsume(command);
            }
        }
        throw new MojoExecutionException("there is no subsume on the path: say -Dsubsume.command=FILE");
    }

    /** The library that was installed with the command, which looks for it at the same places. */
    Path agent() throws MojoExecutionException {
        Path folder;
        try {
            folder = command.toRealPath().getParent();
        } catch (IOException absent) {
            throw new MojoExecutionException(command + " cannot be read", absent);
        }
        for (String place : new String[] {"libsubsume.so", "../lib/libsubsume.so"}) {
            Path library = folder.resolve(place).normalize();
            if (Files.isRegularFile(library)) {
                return library;
            }
        }
        throw new MojoExecutionException("libsubsume.so is not beside " + command + ": say -Dsubsume.agent=FILE");
    }

    /** What the command prints. Of a comparison, broken limits are no error. */
    String ask(List<String> arguments) throws MojoExecutionException {
        List<String> line = new ArrayList<>();
        line.add(command.toString());
        line.addAll(arguments);
        // Neither may fill up while the other is read.
        Path errors = null;
        try {
            errors = Files.createTempFile("subsume", ".err");
            Process process = new ProcessBuilder(line).redirectError(errors.toFile()).start();
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0 && code != OVER_LIMIT) {
                String said = Files.readString(errors).strip();
                throw new MojoExecutionException(said.isEmpty() ? command + " ended with code " + code : said);
            }
            return printed;
        } catch (IOException impossible) {
            throw new MojoExecutionException(command + " cannot be started", impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("interrupted", interrupted);
        } finally {
            if (errors != null) {
                errors.toFile().delete();
            }
        }
    }

    /** The answer for programs. */
    JsonObject json(List<String> arguments) throws MojoExecutionException {
        List<String> line = new ArrayList<>(arguments);
        line.add(1, "--json");
        return JsonParser.parseString(ask(line)).getAsJsonObject();
    }
}
