package subsume.maven;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Fails the build if what was recorded costs more than a bound, or more than a baseline by more than
 * is tolerated, and says which methods are to blame.
 */
@Mojo(name = "check", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class CheckMojo extends ComparingMojo {
    /** The most bytecodes that are allowed in all. */
    @Parameter(property = "subsume.maxBytecodes")
    private Long maxBytecodes;

    /** Bounds on methods, or on other costs than bytecodes. */
    @Parameter
    private List<Bound> bounds = new ArrayList<>();

    /** By how many per cent bytecodes may rise above the baseline. */
    @Parameter(property = "subsume.maxIncrease", defaultValue = "1")
    private double maxIncrease;

    /**
     * More conditions, of {@code subsume diff --fail-if}, under which the comparison with the baseline
     * fails the build, such as {@code org.example.Parser.*>0.5%}.
     */
    @Parameter(property = "subsume.failIf")
    private List<String> failIf = new ArrayList<>();

    /** Whether what is found fails the build, or is a warning. */
    @Parameter(property = "subsume.failOnIncrease", defaultValue = "true")
    private boolean failOnIncrease;

    /** What is wrong, one sentence each. */
    private final List<String> found = new ArrayList<>();
    /** For a comment on the change. */
    private final StringBuilder comment = new StringBuilder();

    @Override
    void begin() throws MojoExecutionException {
        recording().removeComment();
    }

    @Override
    void compare(Subsume subsume, Path profile, Path baseline) throws MojoExecutionException, MojoFailureException {
        if (maxIncrease < 0 || Double.isNaN(maxIncrease)) {
            throw new MojoExecutionException("subsume.maxIncrease is " + maxIncrease + ": it is per cent from 0 on");
        }
        List<Bound> all = new ArrayList<>(bounds);
        if (maxBytecodes != null) {
            all.add(0, new Bound(maxBytecodes));
        }
        if (all.isEmpty() && this.baseline == null) {
            getLog().info("nothing is checked: there is neither a bound nor a baseline");
        }
        for (Bound bound : all) {
            keep(bound, subsume, profile);
        }
        if (baseline != null) {
            compareWith(baseline, subsume, profile);
        } else if (this.baseline != null) {
            getLog().warn("nothing is compared: there are no profiles of this module in " + this.baseline);
        }
        Path file = write(Recording.COMMENT, comment.toString());
        if (!found.isEmpty()) {
            String message = String.join("; ", found) + " (" + file + " has the details)";
            if (failOnIncrease) {
                throw new MojoFailureException(message);
            }
            getLog().warn(message);
        }
    }

    @Override
    void withoutProfiles(String reason) throws MojoExecutionException, MojoFailureException {
        String message = "nothing was recorded: " + reason;
        if (isInBaseline()) {
            throw new MojoFailureException(message + ", but the baseline was recorded. Did tests run, and does the "
                    + "configuration of Surefire have an <argLine> of its own? It must begin with @{argLine}");
        }
        boolean isAsked = maxBytecodes != null || !bounds.isEmpty() || baseline != null;
        if (isAsked && !project.getPackaging().equals("pom")) {
            getLog().warn(message + ", so nothing is checked");
        } else {
            getLog().info(message);
        }
    }

    private void keep(Bound bound, Subsume subsume, Path profile) throws MojoExecutionException {
        List<String> question = bound.question(selection(), without);
        question.add(profile.toString());
        long cost;
        try {
            cost = subsume.json(question).get("total").getAsLong();
        } catch (AbsentException absent) {
            if (bound.method() == null) {
                throw absent;
            }
            // As in a module that shares its parent's bounds.
            getLog().warn(bound.method() + " was not executed, so its bound of " + number(bound.max()) + " "
                    + bound.metric() + " is kept");
            return;
        }
        String costs = number(cost) + " " + bound.metric();
        if (cost <= bound.max()) {
            getLog().info(bound.subject() + " costs " + costs + ", of " + number(bound.max()) + " allowed");
            return;
        }
        String sentence = bound.subject() + " costs " + costs + ", more than the " + number(bound.max()) + " allowed";
        found.add(sentence);
        List<String> explanation = bound.explanation(selection(), without);
        explanation.add(profile.toString());
        explain(sentence, explanation, subsume);
    }

    private void compareWith(Path baseline, Subsume subsume, Path profile) throws MojoExecutionException {
        String limit = String.format(Locale.ROOT, "bytecodes>+%s%%", plain(maxIncrease));
        List<String> question = new ArrayList<>(List.of("diff", "--fail-if", limit));
        for (String condition : failIf) {
            question.addAll(List.of("--fail-if", condition));
        }
        question.addAll(selection());
        question.addAll(List.of(baseline.toString(), profile.toString()));
        JsonObject answer = subsume.json(question);
        JsonObject total = answer.getAsJsonObject("totals").getAsJsonObject("bytecodes");
        long before = total.get("before").getAsLong();
        long after = total.get("after").getAsLong();
        List<String> broken = new ArrayList<>();
        for (JsonElement condition : answer.getAsJsonArray("broken")) {
            broken.add(condition.getAsString());
        }
        boolean isMore = broken.remove(limit);
        String change = before == after
                ? "bytecodes are the same, " + number(after)
                : (after > before ? "bytecodes rose by " : "bytecodes fell by ") + share(before, after) + " to "
                        + number(after);
        if (isMore) {
            found.add(change + ", by more than the " + plain(maxIncrease) + " % allowed");
        }
        for (String condition : broken) {
            found.add("compared with the baseline, " + condition + " holds");
        }
        if (isMore || !broken.isEmpty()) {
            explain(found.get(found.size() - 1), question, subsume);
        } else {
            getLog().info(change + ", within the " + plain(maxIncrease) + " % allowed");
            comment.append("**").append(change).append("**, within the ").append(plain(maxIncrease))
                    .append(" % allowed.\n\n").append(subsume.ask(inMarkdown(question)));
        }
    }

    /** Has the answer printed, and put into the comment. */
    private void explain(String sentence, List<String> question, Subsume subsume) throws MojoExecutionException {
        Consumer<String> log = failOnIncrease ? getLog()::error : getLog()::warn;
        log.accept(sentence);
        subsume.ask(question).lines().forEach(log);
        comment.append("**").append(sentence).append("**\n\n").append(subsume.ask(inMarkdown(question))).append('\n');
    }

    private static List<String> inMarkdown(List<String> question) {
        List<String> line = new ArrayList<>(question);
        line.add(1, "--markdown");
        return line;
    }

    private static String share(long before, long after) {
        if (before == 0) {
            return number(after - before);
        }
        return String.format(Locale.ROOT, "%.2f %%", Math.abs(after - before) * 100.0 / before);
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Without a fraction where there is none. */
    private static String plain(double number) {
        return number == Math.rint(number) && number < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }
}
