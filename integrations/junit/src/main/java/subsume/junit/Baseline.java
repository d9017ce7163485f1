package subsume.junit;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** A file of ways in which loops are known to read similar values, as {@code subsume loops --baseline} has it. */
final class Baseline {
    /** The first line, as the command writes it. */
    private static final String HEADING =
            "# subsume loops: known loops, and what reads similar values in each\n";

    private final Set<String> lines;

    private Baseline(Set<String> lines) {
        this.lines = lines;
    }

    /** The one that knows nothing. */
    static Baseline empty() {
        return new Baseline(new TreeSet<>());
    }

    static Baseline read(Path file) {
        return parse(file, SharedFile.read(file, Settings.BASELINE, Settings.WRITE + "=true"));
    }

    private static Baseline parse(Path file, String text) {
        Set<String> lines = new TreeSet<>();
        SharedFile.forEachLine(text, (line, number) -> {
            if (line.split(" \\| ", -1).length != 3) {
                throw new ExtensionConfigurationException(
                        file + ": line " + number + " is none of a baseline, which has a loop, a way and"
                                + " what is read");
            }
            lines.add(line);
        });
        return new Baseline(lines);
    }

    boolean knows(String line) {
        return lines.contains(line);
    }

    /** Adds lines to the file; tests of other JVMs may do so at the same time. */
    static synchronized void add(Path file, Collection<String> more) {
        SharedFile.change(file, Settings.BASELINE, old -> {
            Set<String> lines = parse(file, old).lines;
            lines.addAll(more);
            StringBuilder text = new StringBuilder(HEADING);
            for (String line : lines) {
                text.append(line).append('\n');
            }
            return text.toString();
        });
    }
}
