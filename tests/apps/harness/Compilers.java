package apps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Processor time of the threads of the JIT compilers.
 *
 * <p>A program is warm when there is little left to compile. One that defines
 * new classes in every iteration never gets there, so this is measured, and
 * does not decide what is steady.
 */
final class Compilers {
    private static final Path TASKS = Path.of("/proc/self/task");

    /** What Linux keeps of {@code C1 CompilerThread0}, behind its second letter. */
    private static final String NAME = " CompilerThre";

    /** Microseconds of each thread, by its id. The JVM ends threads that are idle. */
    private final Map<String, Long> used = new HashMap<>();

    /** Microseconds used since the last call, or since the JVM started. */
    long microsSinceLast() {
        long sum = 0;
        String[] threads = TASKS.toFile().list();
        for (String thread : threads == null ? new String[0] : threads) {
            try {
                if (Files.readString(TASKS.resolve(thread + "/comm")).contains(NAME)) {
                    long now = Clock.processorMicros(TASKS.resolve(thread + "/stat"));
                    Long before = used.put(thread, now);
                    sum += now - (before == null ? 0 : before);
                }
            } catch (IOException e) {
                // The thread has ended meanwhile.
                used.remove(thread);
            }
        }
        return sum;
    }
}
