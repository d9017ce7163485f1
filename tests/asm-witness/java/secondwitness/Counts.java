package secondwitness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import jdk.internal.access.SharedSecrets;

/**
 * What the rewritten classes call. It lies on the boot class path, where every class loader finds it.
 *
 * <p>Counters are atomic, so that threads lose no counts of each other.
 */
public final class Counts {
    /** More methods than any application has that is counted here. */
    private static final int METHODS = 1 << 18;

    /** After the hooks of the application, which is the JDK's slot 1, so that their methods are counted too. */
    private static final int LAST_SHUTDOWN_SLOT = 9;

    private static final AtomicLongArray CALLS = new AtomicLongArray(METHODS);
    private static final AtomicLongArray BYTECODES = new AtomicLongArray(METHODS);
    private static final List<String> NAMES = new ArrayList<>();

    private static final Set<String> LEFT_OUT = new LinkedHashSet<>();

    private Counts() {}

    /** Counts the entry of a method. */
    public static void call(int method) {
        CALLS.getAndIncrement(method);
    }

    /** Counts bytecodes that are certain to be executed next, but for the ends of threads and JVM. */
    public static void bytecodes(int count, int method) {
        BYTECODES.getAndAdd(method, count);
    }

    /** Numbers a method; {@code name} is its line in the file of counts, without the counts. */
    public static synchronized int number(String name) {
        NAMES.add(name);
        return NAMES.size() - 1;
    }

    /** A method that is not counted, because the calls find no room in it. */
    public static synchronized void leaveOut(String name) {
        LEFT_OUT.add(name);
    }

    /** Writes the counts when everything else has ended. */
    public static void writeAtExit(Path file) {
        SharedSecrets.getJavaLangAccess().registerShutdownHook(LAST_SHUTDOWN_SLOT, false, () -> write(file));
    }

    /**
     * One line for each method: class, name, descriptor, calls, bytecodes, with tabs between them; without
     * the last two for a method that is not counted.
     */
    private static synchronized void write(Path file) {
        try (Writer out = Files.newBufferedWriter(file)) {
            for (int method = 0; method < NAMES.size(); method++) {
                if (!LEFT_OUT.contains(NAMES.get(method))) {
                    out.write(NAMES.get(method) + "\t" + CALLS.get(method) + "\t" + BYTECODES.get(method) + "\n");
                }
            }
            for (String name : LEFT_OUT) {
                out.write(name + "\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
