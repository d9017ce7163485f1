package subsume.maven;

import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;

/** A bound on what the tests, or some methods in them, cost. */
public final class Bound {
    /** Methods with all that they call, as in {@code org.example.Parser.*}; otherwise all that is checked. */
    private String method;

    /** What is bounded: bytecodes, calls, allocations or moved. */
    private String metric = "bytecodes";

    /** The most that is allowed. */
    private Long max;

    /** For Maven, which sets the fields. */
    public Bound() {}

    Bound(long max) {
        this.max = max;
    }

    long max() throws MojoExecutionException {
        if (max == null || max < 0) {
            throw new MojoExecutionException("a bound of " + subject() + " needs <max>, a number of " + metric);
        }
        return max;
    }

    /** The methods whose cost is bounded, or {@code null}. */
    String method() {
        return method;
    }

    String metric() {
        return metric;
    }

    /** What is bounded, in words. */
    String subject() {
        return method != null ? method + ", with all that it calls," : "all that is checked";
    }

    /** What {@code subsume methods} is asked for the cost; only the bound chooses methods if it names some. */
    List<String> question(List<String> selection, String without) {
        List<String> arguments = new ArrayList<>(List.of("methods", "--top", "5", "--metric", metric));
        if (method == null) {
            arguments.addAll(selection);
        } else {
            arguments.addAll(List.of("--under", method));
            if (without != null) {
                arguments.addAll(List.of("--without", without));
            }
        }
        return arguments;
    }

    /** What says where the cost is: a single method can be opened. */
    List<String> explanation(List<String> selection, String without) {
        List<String> arguments = question(selection, without);
        if (method != null && method.indexOf('*') < 0 && method.indexOf(';') < 0) {
            arguments.addAll(1, List.of("--inside", method));
        }
        return arguments;
    }
}
