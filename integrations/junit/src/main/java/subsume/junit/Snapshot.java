package subsume.junit;

import java.nio.file.Path;
import java.nio.file.Paths;
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
        return parse(file, SharedFile.read(file, FILE, "-D" + WRITE + "=" + RENEW));
    }

    private static Map<String, SnapshotEntry> parse(Path file, String text) {
        Map<String, SnapshotEntry> entries = new TreeMap<>();
        SharedFile.forEachLine(text, (line, number) -> {
            int end = line.indexOf(SnapshotEntry.SEPARATOR);
            SnapshotEntry entry =
                    end < 0 ? null : SnapshotEntry.parse(line.substring(end + SnapshotEntry.SEPARATOR.length()));
            if (entry == null) {
                throw new ExtensionConfigurationException(
                        file + ": line " + number + " is not the costs of a test");
            }
            entries.put(line.substring(0, end), entry);
        });
        return entries;
    }

    /** Replaces or widens what the file has. */
    private void write() {
        SharedFile.change(file, FILE, old -> {
            Map<String, SnapshotEntry> entries = parse(file, old);
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
            return text.toString();
        });
    }
}
