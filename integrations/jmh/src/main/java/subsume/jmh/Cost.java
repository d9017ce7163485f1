package subsume.jmh;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openjdk.jmh.infra.BenchmarkParams;

/** What a benchmark's method has cost with all that it calls, by `subsume methods`. */
final class Cost {
    /** A row of the answer: class, name, cost and calls. A dominator within it does not match. */
    private static final Pattern METHOD = Pattern.compile(
            "\\{\"class\":\"([^\"]*)\",\"name\":\"([^\"]*)\",\"descriptor\":\"[^\"]*\",\"height\":[^{}]*"
                    + "(?:\\{[^{}]*\\}[^{}]*?)?\"inclusive\":(\\d+),[^{}]*?\"calls\":(\\d+)");

    /** Costs, those of what it calls included. */
    final long inclusive;

    /** How often it was called. */
    final long calls;

    private Cost(long inclusive, long calls) {
        this.inclusive = inclusive;
        this.calls = calls;
    }

    /** What a profile has of the method that a benchmark is named after; nothing before it ran. */
    static Cost of(BenchmarkParams params, String metric, Path profile, String command) throws IOException {
        String name = params.getBenchmark();
        int dot = name.lastIndexOf('.');
        String json = output(command, "methods", "--all", "--json", "--metric", metric, profile.toString());
        Cost inherited = null;
        Matcher methods = METHOD.matcher(json);
        while (methods.find()) {
            if (!methods.group(2).equals(name.substring(dot + 1))) {
                continue;
            }
            Cost cost = new Cost(Long.parseLong(methods.group(3)), Long.parseLong(methods.group(4)));
            // JMH names nested classes as sources do.
            if (methods.group(1).replace('$', '.').equals(name.substring(0, dot))) {
                return cost;
            }
            inherited = cost;
        }
        return inherited != null ? inherited : new Cost(0, 0);
    }

    /** Whether a profile has a metric. */
    static boolean has(String metric, Path profile, String command) throws IOException {
        return output(command, "info", "--json", profile.toString()).contains("{\"metric\":\"" + metric + "\",");
    }

    private static String output(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 16];
        try (InputStream out = process.getInputStream()) {
            for (int read = out.read(buffer); read >= 0; read = out.read(buffer)) {
                bytes.write(buffer, 0, read);
            }
        }
        String text = new String(bytes.toByteArray(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(text.trim());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
        return text;
    }
}
