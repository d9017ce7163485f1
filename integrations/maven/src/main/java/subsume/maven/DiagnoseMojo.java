package subsume.maven;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.maven.lifecycle.LifecycleExecutor;
import org.apache.maven.plugin.BuildPluginManager;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Component;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.apache.maven.project.MavenProject;

/**
 * Says what the tests of a module waste, where, and what a change would save: runs them without the
 * agent, and then once for each recording of {@code subsume diagnose}. Surefire runs them in one JVM.
 */
@Mojo(
        name = "diagnose",
        defaultPhase = LifecyclePhase.VERIFY,
        requiresDependencyResolution = ResolutionScope.TEST,
        threadSafe = true)
@Execute(phase = LifecyclePhase.TEST_COMPILE)
public final class DiagnoseMojo extends RecordingMojo {
    private static final String CONTINUE = "mvn subsume:diagnose -Dsubsume.continue";
    /** What the command proposes in its place. */
    private static final Pattern PROPOSAL =
            Pattern.compile("subsume diagnose --continue .*?(?: --within (\\S+))?$");
    /** What the folder's name ends with while recordings are made. */
    private static final String UNFINISHED = "unfinished";

    /** Which tests are run, as in {@code ParserTest#deep}; otherwise those of {@code test}, or all. */
    @Parameter(property = "subsume.test")
    private String test;

    /** Recordings are left out if all runs would take longer than that, such as {@code 30m}. */
    @Parameter(property = "subsume.within", defaultValue = "10m")
    private String within;

    /**
     * An earlier diagnosis, of which each finding is gone, smaller, the same or larger: its folder, or
     * the folder of another checkout in which the goal was run. If it is the folder that this diagnosis
     * goes to, it is moved to {@code diagnosis-before}.
     */
    @Parameter(property = "subsume.against")
    private File against;

    /**
     * The build fails if a finding saves more than this share of the bytecodes, in per cent. With
     * {@code against}, only new and larger findings count.
     */
    @Parameter(property = "subsume.failAbove")
    private Double failAbove;

    /** Where the recordings go, by default {@code diagnosis} in {@code folder}. */
    @Parameter(property = "subsume.diagnosis")
    private File diagnosis;

    /** Whether to keep the diagnosis that is there, and record what it lacks. */
    @Parameter(property = "subsume.continue", defaultValue = "false")
    private boolean goesOn;

    /** The execution of Surefire whose configuration counts. */
    @Parameter(property = "subsume.execution", defaultValue = "default-test")
    private String execution;

    /** The module with what the phases until here have done. */
    @Parameter(defaultValue = "${executedProject}", readonly = true)
    private MavenProject executedProject;

    @Component
    private LifecycleExecutor lifecycles;

    @Component
    private BuildPluginManager plugins;

    @Override
    void perform() throws MojoExecutionException, MojoFailureException {
        if (project.getPackaging().equals("pom")) {
            leaveOut("has no tests");
            return;
        }
        MavenProject module = executedProject != null ? executedProject : project;
        SurefireTests surefire = SurefireTests.of(module, execution, session, lifecycles, plugins);
        if (surefire == null) {
            leaveOut("is not tested by Surefire");
            return;
        }
        boolean hasClasses = !OwnClasses.in(List.of(new File(module.getBuild().getTestOutputDirectory()))).isEmpty();
        if (!hasClasses && !surefire.comeFromElsewhere()) {
            leaveOut("has no tests");
            return;
        }
        // The goal gives the agent to the JVM itself.
        AgentArgument.removeAll(module.getProperties());
        Subsume subsume = Subsume.find(command);
        Diagnosis here = new Diagnosis(place(diagnosis != null ? diagnosis.toPath() : usualPlace()));
        here.check();
        Diagnosis before = before(here);
        // What was there stays until the new one is complete.
        Diagnosis work = here.beside(UNFINISHED);
        boolean isGoingOn = goesOn && (work.exists() || here.exists());
        if (!isGoingOn) {
            work.remove();
        } else if (!work.exists()) {
            work = here;
        }
        TestRuns runs = new TestRuns(folder.toPath().resolve("diagnosis-runs"), surefire, test, getLog());
        Subsume.Answer answer = record(work, isGoingOn, before, runs, subsume);
        if (!work.exists()) {
            work.remove();
        }
        if (runs.ranNoTest()) {
            if (isOneModule() && chosenTests() != null) {
                throw new MojoFailureException("no test of " + project.getId() + " matches " + chosenTests());
            }
            leaveOut(chosenTests() != null ? "has no test that matches " + chosenTests() : "has no tests that run");
            return;
        }
        runs.throwFailure(project.getId());
        answer.throwError();
        if (!runs.plainMillis().isEmpty()) {
            work.notePlainMillis(runs.plainMillis());
        }
        if (!work.isAt(here)) {
            if (before != null && before.isAt(here)) {
                before = here.beside("before");
                here.replace(before);
            }
            work.replace(here);
        }
        tell(here, before, subsume);
        if (answer.isOverLimit()) {
            throw new MojoFailureException(finding(answer.json(), here));
        }
    }

    private void leaveOut(String reason) {
        getLog().info(project.getId() + " " + reason + ", so it is left out");
    }

    private boolean isOneModule() {
        return session.getProjects().size() == 1;
    }

    private String chosenTests() {
        return test != null ? test : session.getUserProperties().getProperty("test");
    }

    private Path usualPlace() {
        return folder.toPath().resolve("diagnosis").toAbsolutePath().normalize();
    }

    /** Of several modules, each has its own folder. */
    private Path place(Path named) {
        Path folder = named.toAbsolutePath().normalize();
        boolean isOfAll = !isOneModule() && !folder.startsWith(project.getBasedir().toPath());
        return isOfAll ? folder.resolve(project.getArtifactId()) : folder;
    }

    /** What this diagnosis is compared with; {@code null} for nothing. */
    private Diagnosis before(Diagnosis here) throws MojoExecutionException {
        if (against == null) {
            return null;
        }
        Path named = against.toPath();
        Path root = Path.of(session.getExecutionRootDirectory()).toAbsolutePath().normalize();
        List<Path> places = new ArrayList<>(List.of(place(named)));
        for (Path place : new Path[] {here.folder(), usualPlace()}) {
            if (place.startsWith(root)) {
                places.add(named.resolve(root.relativize(place)));
            }
        }
        for (Path place : places) {
            Diagnosis before = new Diagnosis(place);
            if (before.exists()) {
                return before;
            }
        }
        String message = named + " has no diagnosis of " + project.getId();
        if (isOneModule()) {
            throw new MojoExecutionException(message);
        }
        getLog().warn(message + ", so nothing is compared");
        return null;
    }

    /** Has the command make the recordings, and answer for programs. */
    private Subsume.Answer record(
            Diagnosis work, boolean isGoingOn, Diagnosis before, TestRuns runs, Subsume subsume)
            throws MojoExecutionException {
        List<String> line = new ArrayList<>(List.of("diagnose", "--json", "--top", "0", "--within", within));
        line.addAll(List.of("--agent", library().toString()));
        if (failAbove != null) {
            line.addAll(List.of("--fail-above", failAbove.toString()));
        }
        line.addAll(comparison(before));
        if (isGoingOn) {
            line.addAll(List.of("--continue", work.folder().toString()));
        } else {
            line.addAll(List.of("-o", work.folder().toString()));
            String options = moreOptions();
            if (!options.isEmpty()) {
                line.addAll(List.of("--agent-options", options));
            }
            line.add("--");
            line.addAll(runs.command());
        }
        runs.open();
        try {
            return subsume.serve(line, runs::serve, this::pass);
        } finally {
            runs.close();
        }
    }

    private static List<String> comparison(Diagnosis before) {
        return before != null ? List.of("--against", before.folder().toString()) : List.of();
    }

    /** Prints the answer for people, with Maven's goals in place of the command's proposals to run the program. */
    private void tell(Diagnosis here, Diagnosis before, Subsume subsume) throws MojoExecutionException {
        List<String> question = new ArrayList<>(List.of("diagnose"));
        question.addAll(comparison(before));
        question.add(here.folder().toString());
        getLog().info(project.getId() + ": what its tests waste");
        subsume.ask(question).lines().filter(line -> !line.startsWith("    subsume diagnose ")).forEach(getLog()::info);
        Path root = project.getBasedir().toPath();
        Path place = here.folder().startsWith(root) ? root.relativize(here.folder()) : here.folder();
        getLog().info("    mvn subsume:diagnose -Dsubsume.against=" + place + "    after a change");
        getLog().info("recordings: " + here.folder());
    }

    /** Passes on what the command tells while the tests run. Why they fail is told in other words. */
    private void pass(String told) {
        if (!told.startsWith("the program failed without the agent")) {
            // By then the folder has its name.
            String path = told.startsWith("note: ") ? told.replace("-" + UNFINISHED + "/", "/") : told;
            Matcher proposal = PROPOSAL.matcher(path);
            if (proposal.find()) {
                String within = proposal.group(1) == null ? "" : " -Dsubsume.within=" + proposal.group(1);
                path = path.substring(0, proposal.start()) + CONTINUE + within;
            }
            getLog().info(path);
        }
    }

    /** The first finding that saves too much, in words. */
    private String finding(JsonObject answer, Diagnosis here) {
        double total = answer.get("total").getAsDouble();
        String message = "a finding saves more than the " + failAbove + " % of the bytecodes allowed";
        JsonElement changes = answer.get("against");
        for (JsonElement element : answer.getAsJsonArray("findings")) {
            JsonObject finding = element.getAsJsonObject();
            double share = 100 * finding.get("share").getAsDouble();
            String fate = changes == null || changes.isJsonNull() ? "" : fate(finding, changes.getAsJsonObject());
            if (share > failAbove && fate != null) {
                message = String.format(
                        Locale.ROOT,
                        "%s%s wastes up to %.2f %% of the bytecodes, more than the %s %% allowed: %s",
                        fate,
                        name(finding),
                        share,
                        Double.toString(failAbove).replaceFirst("\\.0$", ""),
                        finding.getAsJsonArray("evidence").get(0).getAsJsonObject().get("sentence").getAsString());
                break;
            }
        }
        return message + " (" + here.folder() + " has the recordings)";
    }

    private static String fate(JsonObject finding, JsonObject changes) {
        for (JsonElement element : changes.getAsJsonArray("findings")) {
            JsonObject change = element.getAsJsonObject();
            String fate = change.get("fate").getAsString();
            boolean counts = fate.equals("new") || fate.equals("larger");
            if (counts && change.get("kind").equals(finding.get("kind")) && name(change).equals(name(finding))) {
                return fate + ": ";
            }
        }
        return null;
    }

    private static String name(JsonObject of) {
        JsonObject method = of.getAsJsonObject("method");
        return method.get("class").getAsString() + "." + method.get("name").getAsString();
    }
}
