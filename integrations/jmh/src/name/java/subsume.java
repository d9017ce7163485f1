import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.util.Collection;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.ExternalProfiler;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;

/**
 * The profiler under the name that {@code -prof subsume} gives: JMH knows profilers of others by
 * the full names of their classes only.
 *
 * <p>The compiler refuses a class with the name of a package, if it sees the package. So this one is
 * compiled by itself, and does not name {@code subsume.jmh.SubsumeProfiler} in its code.
 */
public final class subsume implements ExternalProfiler, InternalProfiler {
    private final ExternalProfiler external;
    private final InternalProfiler internal;

    /** For JMH, without options. */
    public subsume() throws ProfilerException {
        this("");
    }

    /** For JMH, with what stands behind the profiler's name. */
    public subsume(String options) throws ProfilerException {
        Object profiler;
        try {
            profiler = Class.forName("subsume.jmh.SubsumeProfiler").getConstructor(String.class).newInstance(options);
        } catch (InvocationTargetException failed) {
            Throwable cause = failed.getCause();
            throw cause instanceof ProfilerException ? (ProfilerException) cause : new ProfilerException(cause.toString());
        } catch (ReflectiveOperationException failed) {
            throw new ProfilerException(failed.toString());
        }
        external = (ExternalProfiler) profiler;
        internal = (InternalProfiler) profiler;
    }

    @Override
    public String getDescription() {
        return external.getDescription();
    }

    @Override
    public Collection<String> addJVMInvokeOptions(BenchmarkParams params) {
        return external.addJVMInvokeOptions(params);
    }

    @Override
    public Collection<String> addJVMOptions(BenchmarkParams params) {
        return external.addJVMOptions(params);
    }

    @Override
    public void beforeTrial(BenchmarkParams params) {
        external.beforeTrial(params);
    }

    @Override
    public Collection<? extends Result> afterTrial(BenchmarkResult result, long pid, File out, File err) {
        return external.afterTrial(result, pid, out, err);
    }

    @Override
    public boolean allowPrintOut() {
        return external.allowPrintOut();
    }

    @Override
    public boolean allowPrintErr() {
        return external.allowPrintErr();
    }

    @Override
    public void beforeIteration(BenchmarkParams params, IterationParams iteration) {
        internal.beforeIteration(params, iteration);
    }

    @Override
    public Collection<? extends Result> afterIteration(
            BenchmarkParams params, IterationParams iteration, IterationResult result) {
        return internal.afterIteration(params, iteration, result);
    }
}
