package subsume.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A file with the costs of all tests. It is read once, and written when all tests have ended. */
final class Snapshot implements ExtensionContext.Store.CloseableResource {
    /** Names the file. */
    static final String FILE = "subsume.costs.snapshot";
    /** Says to write it. */
    static final String WRITE = "subsume.costs.write-snapshot";

    /** Costs of tests take the place of those that the file has. */
    private static final String RENEW = "renew";
    /** They are added to the range that the file has. */
    private static final String WIDEN = "widen";

    private static final String HEADING =
            "# subsume: costs of tests, from least to most; -D" + WRITE + "=" + RENEW + " renews them\n";

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(Snapshot.class);

    private final Path file;
    /** How it is written; empty if it is not. */
    private final String write;
    /** What the file had. */
    private final Map<String, SnapshotEntry> known;
    /** What it is to get. */
    private final Map<String, SnapshotEntry> written = new TreeMap<>();

    private Snapshot(Path file, String write) {
        this.file = file;
        this.write = write;
        known = write.isEmpty() ? read(file) : new TreeMap<>();
    }

    /** The one that the build names; {@code null} if it names none. */
    static Snapshot of(ExtensionContext context) {
        Optional<String> file = context.getConfigurationParameter(FILE).filter(name -> !name.isEmpty());
        String write = context.getConfigurationParameter(WRITE).orElse("");
        if (!write.isEmpty() && !write.equals(RENEW) && !write.equals(WIDEN)) {
            throw new ExtensionConfigurationException(
                    WRITE + "=" + write + ": it is " + RENEW + " or " + WIDEN);
        }
        if (!file.isPresent()) {
            if (!write.isEmpty()) {
                throw new ExtensionConfigurationException(WRITE + ": " + FILE + " must say which file");
            }
            return null;
        }
        return context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent(
                FILE, key -> new Snapshot(Paths.get(file.get()), write), Snapshot.class);
    }

    /** Keeps the costs of a test, or compares them with what the file has. */
    void add(String test, Costs costs) {
        SnapshotEntry now = new SnapshotEntry(costs);
        if (!write.isEmpty()) {
            synchronized (written) {
                written.merge(test, now, SnapshotEntry::with);
            }
            return;
        }
        SnapshotEntry before = known.get(test);
        String growth = before == null ? null : now.growthSince(before);
        if (growth != null) {
            throw new CostLimitError(growth + "\nto accept it, renew " + file + ": -D" + WRITE + "=" + RENEW);
        }
    }

    @Override
    public void close() {
        synchronized (written) {
            if (!written.isEmpty()) {
                write();
            }
        }
    }

    private static Map<String, SnapshotEntry> read(Path file) {
        try {
            return parse(file, new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        } catch (IOException error) {
            throw new ExtensionConfigurationException(
                    FILE + ": cannot read " + file + " (-D" + WRITE + "=" + RENEW + " writes it): " + error,
                    error);
        }
    }

    private static Map<String, SnapshotEntry> parse(Path file, String text) {
        Map<String, SnapshotEntry> entries = new TreeMap<>();
        int number = 0;
        for (String line : text.split("\n")) {
            number++;
            line = line.trim();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            int end = line.indexOf(SnapshotEntry.SEPARATOR);
            SnapshotEntry entry =
                    end < 0 ? null : SnapshotEntry.parse(line.substring(end + SnapshotEntry.SEPARATOR.length()));
            if (entry == null) {
                throw new ExtensionConfigurationException(
                        file + ": line " + number + " is not the costs of a test");
            }
            entries.put(line.substring(0, end), entry);
        }
        return entries;
    }

    /** Replaces or widens what the file has; tests of other JVMs may do so at the same time. */
    private void write() {
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
                Map<String, SnapshotEntry> entries =
                        parse(file, new String(old.array(), 0, old.position(), StandardCharsets.UTF_8));
                for (Map.Entry<String, SnapshotEntry> entry : written.entrySet()) {
                    if (write.equals(WIDEN)) {
                        entries.merge(entry.getKey(), entry.getValue(), SnapshotEntry::with);
                    } else {
                        entries.put(entry.getKey(), entry.getValue());
                    }
                }
                StringBuilder text = new StringBuilder(HEADING);
                for (Map.Entry<String, SnapshotEntry> entry : entries.entrySet()) {
                    text.append(entry.getKey()).append(SnapshotEntry.SEPARATOR).append(entry.getValue()).append('\n');
                }
                ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
                channel.truncate(0);
                channel.position(0);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
        } catch (IOException error) {
            throw new UncheckedIOException(FILE + ": cannot write " + file, error);
        }
    }
}
