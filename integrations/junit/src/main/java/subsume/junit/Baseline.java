package subsume.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
        try {
            return parse(file, new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        } catch (IOException error) {
            throw new ExtensionConfigurationException(
                    Settings.BASELINE + ": cannot read " + file + " (" + Settings.WRITE
                            + "=true writes it): " + error,
                    error);
        }
    }

    private static Baseline parse(Path file, String text) {
        Set<String> lines = new TreeSet<>();
        int number = 0;
        for (String line : text.split("\n")) {
            number++;
            line = line.trim();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (line.split(" \\| ", -1).length != 3) {
                throw new ExtensionConfigurationException(
                        file + ": line " + number + " is none of a baseline, which has a loop, a way and"
                                + " what is read");
            }
            lines.add(line);
        }
        return new Baseline(lines);
    }

    boolean knows(String line) {
        return lines.contains(line);
    }

    /** Adds lines to the file; tests of other JVMs may do so at the same time. */
    static synchronized void add(Path file, Collection<String> more) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            try (FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                channel.lock();
                ByteBuffer old = ByteBuffer.allocate((int) channel.size());
                while (old.hasRemaining() && channel.read(old) >= 0) {
                    // Until the end.
                }
                Set<String> lines =
                        parse(file, new String(old.array(), 0, old.position(), StandardCharsets.UTF_8)).lines;
                lines.addAll(more);
                StringBuilder text = new StringBuilder(HEADING);
                for (String line : lines) {
                    text.append(line).append('\n');
                }
                ByteBuffer written = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
                channel.truncate(0);
                channel.position(0);
                while (written.hasRemaining()) {
                    channel.write(written);
                }
            }
        } catch (IOException error) {
            throw new UncheckedIOException(Settings.BASELINE + ": cannot write " + file, error);
        }
    }
}
