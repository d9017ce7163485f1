package subsume.maven;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugin.logging.Log;

/**
 * The program that {@code subsume diagnose} runs several times: a script that asks this build to run
 * the tests, and waits. Script and build talk by files in a folder.
 */
final class TestRuns {
    private static final String SCRIPT = "run-tests.sh";
    /** Holds the number of Maven's process while it answers. */
    private static final String READY = "maven";
    /** The options for the JVM of the tests: as the script has got them, and as the JVM reads them. */
    private static final String REQUEST = "request";
    private static final String OPTIONS = "options";
    /** The exit code, and before it what the script has to print. */
    private static final String REPLY = "reply";
    private static final String OUTPUT = "output";

    /** The name of the run without the agent, as {@code subsume diagnose} calls it. */
    private static final String PLAIN = "plain";

    private static final long MILLIS_BETWEEN_LOOKS = 50;

    private final Path folder;
    private final SurefireTests surefire;
    private final String tests;
    private final Log log;

    /** Why the run without the agent was no success. */
    private MojoFailureException failure;
    private MojoExecutionException error;
    private boolean ranNoTest;
    private final List<Long> plainMillis = new ArrayList<>();

    /**
     * Prepares the script.
     *
     * @param folder is for this class alone
     * @param tests which tests are run; {@code null} for those that the build names
     */
    TestRuns(Path folder, SurefireTests surefire, String tests, Log log) throws MojoExecutionException {
        this.folder = folder.toAbsolutePath();
        this.surefire = surefire;
        this.tests = tests;
        this.log = log;
        try (InputStream script = TestRuns.class.getResourceAsStream(SCRIPT)) {
            Files.createDirectories(this.folder);
            Files.copy(script, file(SCRIPT), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException impossible) {
            throw new MojoExecutionException(this.folder + " cannot be written", impossible);
        }
    }

    /** The command line of the program. */
    List<String> command() {
        return List.of("sh", file(SCRIPT).toString());
    }

    /** From now on the script asks this build; before the command is started. */
    void open() throws MojoExecutionException {
        close();
        try {
            Files.writeString(file(READY), Long.toString(ProcessHandle.current().pid()));
        } catch (IOException impossible) {
            throw new MojoExecutionException(file(READY) + " cannot be written", impossible);
        }
    }

    /** Runs the tests whenever the script asks for it, until the command ends. */
    void serve(Process command) throws MojoExecutionException, InterruptedException {
        try {
            while (!command.waitFor(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS)) {
                if (Files.exists(file(REQUEST))) {
                    JvmOptions options = new JvmOptions(Files.readString(file(REQUEST)));
                    Files.delete(file(REQUEST));
                    Files.writeString(file(OPTIONS), options.forFile());
                    reply(run(options.mode(PLAIN)));
                }
            }
        } catch (IOException impossible) {
            throw new MojoExecutionException(folder + " cannot be used", impossible);
        }
    }

    /** Ends a script that still waits, and removes what a build that was killed may have left. */
    void close() throws MojoExecutionException {
        for (String name : new String[] {READY, REQUEST, OPTIONS, REPLY, OUTPUT}) {
            try {
                Files.deleteIfExists(file(name));
            } catch (IOException impossible) {
                throw new MojoExecutionException(file(name) + " cannot be removed", impossible);
            }
        }
    }

    /** Whether the run without the agent has shown that there is no test. */
    boolean ranNoTest() {
        return ranNoTest;
    }

    /** Throws what has ended the run without the agent, if something has. */
    void throwFailure(String module) throws MojoExecutionException, MojoFailureException {
        if (failure != null) {
            List<String> classes = reports(PLAIN).failed();
            throw new MojoFailureException("tests of " + module + " fail without the agent, so nothing is recorded: "
                    + (classes.isEmpty() ? firstLine(failure) : String.join(", ", classes)) + " ("
                    + reports(PLAIN).folder() + " has the reports)");
        }
        if (error != null) {
            throw new MojoExecutionException("tests of " + module + " cannot be run, so nothing is recorded: "
                    + firstLine(error), error);
        }
    }

    /** Processor time of the runs without the agent in milliseconds, in their order; 0 if it is unknown. */
    List<Long> plainMillis() {
        return plainMillis;
    }

    /** Whether the tests were a success. */
    private boolean run(String name) throws MojoExecutionException {
        boolean isPlain = name.equals(PLAIN);
        String plain = "tests run without the agent, " + (plainMillis.isEmpty() ? "sampled" : "timed");
        log.info(isPlain ? plain : "tests run with mode=" + name);
        TestReports reports = reports(name);
        reports.remove();
        long before = childrenMillis();
        boolean isSuccess = false;
        try {
            surefire.run(tests, file(OPTIONS), reports.folder());
            ranNoTest = isPlain && reports.isEmpty();
            isSuccess = !ranNoTest;
        } catch (MojoFailureException failed) {
            failure = isPlain ? failed : failure;
        } catch (MojoExecutionException failed) {
            error = isPlain ? failed : error;
        }
        if (isPlain) {
            plainMillis.add(childrenMillis() - before);
        }
        reports.print(file(OUTPUT));
        return isSuccess;
    }

    private void reply(boolean isSuccess) throws IOException {
        // The script must not read half of it.
        Path unfinished = Files.writeString(file(REPLY + ".new"), isSuccess ? "0" : "1");
        Files.move(unfinished, file(REPLY), StandardCopyOption.ATOMIC_MOVE);
    }

    private TestReports reports(String run) {
        return new TestReports(file("reports-" + run));
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private static String firstLine(Exception thrown) {
        String message = thrown.getMessage();
        return message == null || message.isBlank()
                ? thrown.getClass().getSimpleName()
                : message.strip().lines().findFirst().get();
    }

    /** Processor time of processes that this one has started and waited for; 0 if the system does not tell. */
    private static long childrenMillis() {
        try {
            // proc(5): fields 16 and 17, in ticks of 10 ms. The command in parentheses may hold blanks.
            String stat = Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return 10 * (Long.parseLong(fields[13]) + Long.parseLong(fields[14]));
        } catch (IOException | RuntimeException unknown) {
            return 0;
        }
    }
}
