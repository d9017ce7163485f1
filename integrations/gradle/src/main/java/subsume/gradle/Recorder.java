package subsume.gradle;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gradle.api.GradleException;
import org.gradle.api.logging.Logger;
import org.gradle.process.ExecOperations;

/** Has {@code subsume diagnose} run tests, and passes on what it tells meanwhile, in the words of a Gradle task. */
final class Recorder {
    /** What the lines begin with that the command tells. */
    private static final String NAME = "subsume: ";
    /** The exit code if a limit is broken. */
    private static final int OVER_LIMIT = 1;
    /** What the command says if the run without the agent fails. */
    private static final String FAILED = "the program failed without the agent";
    /** What the command proposes in place of a Gradle task. */
    private static final Pattern PROPOSAL =
            Pattern.compile("subsume diagnose --continue .*?(?: --within (\\S+))?$");
    /** How much is shown of what Gradle prints if the tests fail. */
    private static final int SHOWN_LINES = 40;

    private final ExecOperations processes;
    private final Logger logger;
    private final String task;
    private String last = "";

    /** For the task that one starts with this command. */
    Recorder(ExecOperations processes, Logger logger, String task) {
        this.processes = processes;
        this.logger = logger;
        this.task = task;
    }

    /**
     * Runs this line. It is ended with the build that runs it.
     *
     * @param work the folder for recordings
     * @param here the folder that they are moved to
     * @return whether a finding saves more than is allowed
     */
    boolean run(List<String> line, NestedBuild build, Diagnosis work, Diagnosis here) {
        int code;
        // The answer is asked for when the folder has its name.
        try (Lines told = new Lines(text -> pass(text, work, here))) {
            code = processes.exec(process -> {
                process.setWorkingDir(build.root());
                process.setCommandLine(line);
                process.setEnvironment(build.environment());
                process.setStandardOutput(OutputStream.nullOutputStream());
                process.setErrorOutput(told);
                process.setIgnoreExitValue(true);
            }).getExitValue();
        }
        if (last.startsWith(FAILED)) {
            File output = work.folder().resolve("plain.out").toFile();
            showEnd(output.toPath());
            throw new GradleException("the tests fail without the agent, so nothing is recorded (" + output
                    + " has what Gradle printed)");
        }
        if (code != 0 && code != OVER_LIMIT) {
            throw new GradleException(last.isEmpty() ? "subsume ended with code " + code : last);
        }
        return code == OVER_LIMIT;
    }

    private void pass(String told, Diagnosis work, Diagnosis here) {
        String text = told.startsWith(NAME) ? told.substring(NAME.length()) : told;
        // By the time a note is read, the folder has its name.
        if (text.startsWith("note: ")) {
            text = text.replace(work.folder() + "/", here.folder() + "/");
        }
        last = text;
        if (text.startsWith(FAILED)) {
            return;
        }
        Matcher proposal = PROPOSAL.matcher(text);
        if (proposal.find()) {
            String within = proposal.group(1) == null ? "" : " -Psubsume.within=" + proposal.group(1);
            last = text.substring(0, proposal.start()) + task + " -Psubsume.continue=true" + within;
        }
        logger.lifecycle(last);
    }

    private void showEnd(Path output) {
        try {
            List<String> lines = List.of(new String(Files.readAllBytes(output), StandardCharsets.UTF_8).split("\n"));
            lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()).forEach(logger::error);
        } catch (IOException unreadable) {
            logger.error(output + " cannot be read: " + unreadable.getMessage());
        }
    }
}
