package subsume.gradle;

import groovy.json.JsonSlurper;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gradle.api.GradleException;

/**
 * Where the command and the agent are. They are looked for when a task runs. The configuration cache
 * cannot restore Java records, so classes that tasks keep are not records.
 */
final class Installation implements Serializable {
    private static final long serialVersionUID = 1;

    private final String command;
    private final String agent;
    private final String path;

    Installation(String command, String agent, String path) {
        this.command = command;
        this.agent = agent;
        this.path = path;
    }

    /** The agent that is named, or {@code null}. */
    String agent() {
        return agent;
    }

    /** The command's file. */
    Path executable() {
        if (command.indexOf(File.separatorChar) >= 0) {
            return existing(Path.of(command), "subsume.command");
        }
        for (String folder : path.split(File.pathSeparator)) {
            Path file = Path.of(folder, command);
            if (Files.isExecutable(file)) {
                return file;
            }
        }
        throw new GradleException("there is no command '" + command + "' on the path: name it with subsume.command");
    }

    /** The agent's file. */
    Path library() {
        if (agent != null) {
            return existing(Path.of(agent), "subsume.agent");
        }
        try {
            Path folder = executable().toRealPath().getParent();
            for (Path file : new Path[] {folder.resolve("libsubsume.so"), folder.resolveSibling("lib/libsubsume.so")}) {
                if (Files.exists(file)) {
                    return file;
                }
            }
            throw new GradleException("there is no libsubsume.so beside " + folder + ": name it with subsume.agent");
        } catch (IOException impossible) {
            throw new GradleException(executable() + " cannot be read", impossible);
        }
    }

    private static Path existing(Path file, String setting) {
        if (!Files.exists(file)) {
            throw new GradleException(file + " does not exist (" + setting + ")");
        }
        return file.toAbsolutePath();
    }

    /** What the command says. A broken limit is an answer, everything else that fails is not. */
    String ask(List<String> arguments) {
        List<String> line = new ArrayList<>(List.of(executable().toString()));
        line.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(line);
        // The command starts no JVM.
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        try {
            File errors = File.createTempFile("subsume", ".err");
            try {
                Process process = builder.redirectError(errors).start();
                process.getOutputStream().close();
                String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (process.waitFor() > 1) {
                    String message = Files.readString(errors.toPath()).strip();
                    throw isAbsent(said) ? new AbsentException(message) : new GradleException(message);
                }
                return said;
            } finally {
                errors.delete();
            }
        } catch (IOException failure) {
            throw new GradleException(line.get(0) + " cannot be run: " + failure.getMessage(), failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new GradleException("stopped while the command ran", stopped);
        }
    }

    /** Whether this is the JSON that stands for an answer where a profile lacks what is asked for. */
    private static boolean isAbsent(String said) {
        return said.startsWith("{") && ((Map<?, ?>) new JsonSlurper().parseText(said)).containsKey("absent");
    }

    /**
     * The same for programs.
     *
     * @throws AbsentException if the profile does not have the methods that are asked for
     */
    @SuppressWarnings("unchecked")
    Map<String, Object> json(List<String> arguments) {
        List<String> line = new ArrayList<>(arguments);
        line.add(1, "--json");
        return (Map<String, Object>) new JsonSlurper().parseText(ask(line));
    }
}
