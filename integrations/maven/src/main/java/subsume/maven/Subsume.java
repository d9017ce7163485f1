package subsume.maven;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.maven.plugin.MojoExecutionException;

/** The command {@code subsume}, which answers what is asked about profiles. */
final class Subsume {
    /** The exit code of a comparison in which a limit is broken. */
    private static final int OVER_LIMIT = 1;
    /** What the lines begin with that the command tells. */
    private static final String NAME = "subsume: ";

    private final Path command;

    private Subsume(Path command) {
        this.command = command;
    }

    /** The command that a build names, or the one on the path. */
    static Subsume find(File named) throws MojoExecutionException {
        if (named != null) {
            if (!Files.isExecutable(named.toPath())) {
                throw new MojoExecutionException(named + " is not a command: subsume.command must name subsume itself");
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
                if (isAbsent(printed)) {
                    throw new AbsentException(said);
                }
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

    /** Whether this is the JSON that stands for an answer where a profile lacks what is asked for. */
    private static boolean isAbsent(String printed) {
        return printed.startsWith("{") && JsonParser.parseString(printed).getAsJsonObject().has("absent");
    }

    /**
     * The answer for programs.
     *
     * @throws AbsentException if the profile does not have the methods that are asked for
     */
    JsonObject json(List<String> arguments) throws MojoExecutionException {
        List<String> line = new ArrayList<>(arguments);
        line.add(1, "--json");
        return JsonParser.parseString(ask(line)).getAsJsonObject();
    }

    /** Does what a running command asks for, until it ends. */
    interface Server {
        void serve(Process command) throws MojoExecutionException, InterruptedException;
    }

    /**
     * What a command has printed.
     *
     * @param last the last line of what it has told; this is why it fails, if it does
     */
    record Answer(int code, String printed, String last) {
        boolean isOverLimit() {
            return code == OVER_LIMIT;
        }

        void throwError() throws MojoExecutionException {
            if (code != 0 && code != OVER_LIMIT) {
                throw new MojoExecutionException(last.isEmpty() ? "subsume ended with code " + code : last);
            }
        }

        JsonObject json() {
            return JsonParser.parseString(printed).getAsJsonObject();
        }
    }

    /**
     * Runs a command that needs this build while it works.
     *
     * @param progress gets what the command tells meanwhile
     */
    Answer serve(List<String> arguments, Server server, Consumer<String> progress) throws MojoExecutionException {
        List<String> words = new ArrayList<>();
        words.add(command.toString());
        words.addAll(arguments);
        Path printed = null;
        Process process = null;
        try {
            printed = Files.createTempFile("subsume", ".out");
            ProcessBuilder builder = new ProcessBuilder(words).redirectOutput(printed.toFile());
            // It would hand the options in there to the JVM of the tests, which has them already.
            builder.environment().remove("JAVA_TOOL_OPTIONS");
            process = builder.start();
            process.getOutputStream().close();
            AtomicReference<String> last = new AtomicReference<>("");
            BufferedReader lines = process.errorReader(StandardCharsets.UTF_8);
            Thread reader = new Thread(() -> lines.lines().forEach(line -> {
                String told = line.startsWith(NAME) ? line.substring(NAME.length()) : line;
                last.set(told);
                progress.accept(told);
            }));
            reader.start();
            server.serve(process);
            reader.join();
            return new Answer(process.waitFor(), Files.readString(printed), last.get());
        } catch (IOException impossible) {
            throw new MojoExecutionException(command + " cannot be started", impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("interrupted", interrupted);
        } finally {
            if (process != null && process.isAlive()) {
                process.destroy();
            }
            if (printed != null) {
                printed.toFile().delete();
            }
        }
    }
}
