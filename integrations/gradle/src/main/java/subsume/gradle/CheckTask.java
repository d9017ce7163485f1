package subsume.gradle;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.gradle.api.GradleException;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Internal;
import org.gradle.work.DisableCachingByDefault;

/**
 * Fails the build if what was recorded costs more than a bound, or more than a baseline by more than
 * is tolerated, and says which methods are to blame.
 */
@DisableCachingByDefault(because = "it prints an answer")
public abstract class CheckTask extends ComparingTask {
    @Internal
    public abstract ListProperty<Bound> getBounds();

    @Internal
    public abstract Property<Long> getMaxBytecodes();

    @Internal
    public abstract Property<Double> getMaxIncrease();

    @Internal
    public abstract ListProperty<String> getFailIf();

    @Internal
    public abstract Property<Boolean> getFailOnIncrease();

    @Override
    void compare(Installation subsume, Path profile, Path baseline) {
        double maxIncrease = getMaxIncrease().get();
        if (maxIncrease < 0 || Double.isNaN(maxIncrease)) {
            throw new GradleException("subsume.maxIncrease is " + maxIncrease + ": it is per cent from 0 on");
        }
        Checks checks = new Checks(subsume, profile);
        List<Bound> all = new ArrayList<>();
        if (getMaxBytecodes().isPresent()) {
            all.add(new Bound(null, "bytecodes", getMaxBytecodes().get()));
        }
        all.addAll(getBounds().get());
        if (all.isEmpty() && !getBaseline().isPresent()) {
            getLogger().lifecycle("nothing is checked: there is neither a bound nor a baseline");
        }
        all.forEach(checks::keep);
        if (baseline != null) {
            checks.compareWith(baseline, maxIncrease);
        }
        Path file = write("check.md", checks.comment.toString());
        if (!checks.found.isEmpty()) {
            String message = String.join("; ", checks.found) + " (" + file + " has the details)";
            if (getFailOnIncrease().get()) {
                throw new GradleException(message);
            }
            getLogger().warn(message);
        }
    }

    @Override
    void withoutProfiles(Path baseline) {
        if (baseline != null) {
            throw new GradleException("nothing was recorded, but the baseline was. Did tests run?");
        }
        getLogger().warn("nothing was recorded, so nothing is checked");
    }

    /** The checks of one build. */
    private final class Checks {
        private final Installation subsume;
        private final Path profile;
        /** What is wrong, one sentence each. */
        private final List<String> found = new ArrayList<>();
        /** For a comment on the change. */
        private final StringBuilder comment = new StringBuilder();

        Checks(Installation subsume, Path profile) {
            this.subsume = subsume;
            this.profile = profile;
        }

        void keep(Bound bound) {
            List<String> question = new ArrayList<>(List.of("methods", "--top", "5", "--metric", bound.metric()));
            if (bound.method() == null) {
                question.addAll(selection());
            } else {
                question.addAll(List.of("--under", bound.method(), "--without", getWithout().get()));
            }
            question.add(profile.toString());
            long cost;
            try {
                cost = ((Number) subsume.json(question).get("total")).longValue();
            } catch (AbsentException absent) {
                if (bound.method() == null) {
                    throw absent;
                }
                getLogger().warn(bound.method() + " was not executed, so its bound of " + number(bound.max()) + " "
                        + bound.metric() + " is kept");
                return;
            }
            String costs = number(cost) + " " + bound.metric();
            if (cost <= bound.max()) {
                getLogger().lifecycle(bound.subject() + " costs " + costs + ", of " + number(bound.max()) + " allowed");
                return;
            }
            found.add(bound.subject() + " costs " + costs + ", more than the " + number(bound.max()) + " allowed");
            explain(question);
        }

        void compareWith(Path baseline, double maxIncrease) {
            String percent = maxIncrease == Math.rint(maxIncrease) && maxIncrease < 1e15
                    ? Long.toString((long) maxIncrease)
                    : Double.toString(maxIncrease);
            String limit = "bytecodes>+" + percent + "%";
            List<String> question = new ArrayList<>(List.of("diff", "--fail-if", limit));
            for (String condition : getFailIf().get()) {
                question.addAll(List.of("--fail-if", condition));
            }
            question.addAll(selection());
            question.addAll(List.of(baseline.toString(), profile.toString()));
            Map<String, Object> answer = subsume.json(question);
            Map<?, ?> total = (Map<?, ?>) ((Map<?, ?>) answer.get("totals")).get("bytecodes");
            long before = ((Number) total.get("before")).longValue();
            long after = ((Number) total.get("after")).longValue();
            List<Object> broken = new ArrayList<>((List<?>) answer.get("broken"));
            boolean isMore = broken.remove(limit);
            String change = before == after
                    ? "bytecodes are the same, " + number(after)
                    : (after > before ? "bytecodes rose by " : "bytecodes fell by ") + share(before, after) + " to "
                            + number(after);
            if (isMore) {
                found.add(change + ", by more than the " + percent + " % allowed");
            }
            for (Object condition : broken) {
                found.add("compared with the baseline, " + condition + " holds");
            }
            if (isMore || !broken.isEmpty()) {
                explain(question);
            } else {
                getLogger().lifecycle(change + ", within the " + percent + " % allowed");
                comment.append("**").append(change).append("**, within the ").append(percent).append(" % allowed.\n\n")
                        .append(subsume.ask(inMarkdown(question)));
            }
        }

        /** Has the answer to the last question printed, and put into the comment. */
        private void explain(List<String> question) {
            String sentence = found.get(found.size() - 1);
            getLogger().error(sentence + "\n" + subsume.ask(question));
            comment.append("**").append(sentence).append("**\n\n").append(subsume.ask(inMarkdown(question))).append('\n');
        }
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
}
