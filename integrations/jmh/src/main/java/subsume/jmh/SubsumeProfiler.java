package subsume.jmh;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.ExternalProfiler;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.IterationType;
import subsume.Profile;

/**
 * Counts what one operation of a benchmark does: bytecodes, calls, allocations, their bytes and
 * elements that are moved, exactly.
 *
 * <p>In JMH's own process it gives each fork the agent, and makes results of what that recorded. In
 * the fork, it has recording begin with the last iteration of the warm-up, since whatever runs for
 * the first time after a switch is linked again, and has the state of then written to a file: the
 * result is the difference between both.
 */
public final class SubsumeProfiler implements ExternalProfiler, InternalProfiler {
    private static final String PROFILE = "subsume.jmh.profile";
    /** What only some recordings have. */
    private static final String BYTES = "bytes";
    private static final String[] METRICS = {"bytecodes", "calls", "allocations", BYTES, "moved"};

    private final Settings settings;
    private final Map<String, Integer> forks = new HashMap<>();
    /** Of the fork that runs, in JMH's own process. */
    private Path profile;
    /** Iterations of the warm-up that have begun, in the fork. */
    private int warmups;
    /** Measured iterations that have begun, in the fork. */
    private int measured;

    /** For JMH, without options. */
    public SubsumeProfiler() throws ProfilerException {
        this("");
    }

    /** For JMH, with what stands behind the profiler's name. */
    public SubsumeProfiler(String options) throws ProfilerException {
        settings = Settings.parse(options);
    }

    @Override
    public String getDescription() {
        return "Subsume: exact bytecodes, calls, allocations, bytes and moved elements of an operation";
    }

    @Override
    public Collection<String> addJVMInvokeOptions(BenchmarkParams params) {
        return Collections.emptyList();
    }

    @Override
    public Collection<String> addJVMOptions(BenchmarkParams params) {
        String name = params.id().replaceAll("[^A-Za-z0-9._-]+", "_");
        int fork = forks.merge(name, 1, Integer::sum);
        profile = settings.folder.resolve(name + "-fork" + fork + ".subsume").toAbsolutePath();
        return Arrays.asList(
                "-agentpath:" + settings.agent + "=start=off,out=" + profile + settings.agentOptions,
                "-D" + PROFILE + "=" + profile);
    }

    @Override
    public void beforeTrial(BenchmarkParams params) {
        try {
            Files.createDirectories(settings.folder);
        } catch (IOException impossible) {
            // The agent says that it cannot write there.
        }
    }

    @Override
    public void beforeIteration(BenchmarkParams params, IterationParams iteration) {
        String file = System.getProperty(PROFILE);
        if (file == null) {
            // Without a fork there is no agent.
            return;
        }
        boolean isMeasured = iteration.getType() == IterationType.MEASUREMENT;
        if (isMeasured) {
            measured++;
        } else {
            warmups++;
        }
        boolean begins = isMeasured ? measured == 1 : warmups == params.getWarmup().getCount();
        if (begins && !Profile.start()) {
            System.err.println("subsume: recording does not start");
        }
        if (isMeasured && begins) {
            Profile.dump(before(Paths.get(file)).toString());
        }
    }

    @Override
    public Collection<? extends Result> afterIteration(
            BenchmarkParams params, IterationParams iteration, IterationResult result) {
        // What tears the benchmark down is left out.
        if (measured == params.getMeasurement().getCount()) {
            Profile.stop();
        }
        return Collections.emptyList();
    }

    @Override
    public Collection<? extends Result> afterTrial(
            BenchmarkResult result, long process, File stdout, File stderr) {
        List<Result> results = new ArrayList<>();
        Path before = before(profile);
        try {
            BenchmarkParams params = result.getParams();
            for (String metric : METRICS) {
                if (metric.equals(BYTES) && !Cost.has(BYTES, profile, settings.command)) {
                    continue;
                }
                Cost cost = Cost.of(params, metric, profile, settings.command);
                Cost earlier = Cost.of(params, metric, before, settings.command);
                double operations = (double) (cost.calls - earlier.calls) * params.getOpsPerInvocation();
                double each = (cost.inclusive - earlier.inclusive) / operations;
                String unit = metric.equals(BYTES) ? "B/op" : "#/op";
                results.add(new ScalarResult("subsume." + metric, each, unit, AggregationPolicy.AVG));
            }
            Files.deleteIfExists(before);
        } catch (IOException error) {
            System.err.println("subsume: " + profile + ": " + error.getMessage());
        }
        return results;
    }

    private static Path before(Path profile) {
        return profile.resolveSibling(profile.getFileName() + ".before");
    }

    @Override
    public boolean allowPrintOut() {
        return true;
    }

    @Override
    public boolean allowPrintErr() {
        return true;
    }
}
