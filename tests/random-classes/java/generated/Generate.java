package generated;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * Writes programs to two jars: as they are, and rewritten to count what they execute.
 *
 * <p>{@code Generate FIRST COUNT NEWEST PLAIN COUNTING}: the first seed, how many, the newest version of
 * class files (61 is Java 17), and the jars.
 */
public final class Generate {
    private Generate() {}

    public static void main(String[] args) throws IOException {
        long first = Long.parseLong(args[0]);
        int count = Integer.parseInt(args[1]);
        int newest = Integer.parseInt(args[2]);
        try (JarOutputStream plain = jar(args[3]); JarOutputStream counting = jar(args[4])) {
            for (long seed = first; seed < first + count; seed++) {
                for (Map.Entry<String, byte[]> type : new Program(seed, newest).classes().entrySet()) {
                    put(plain, type.getKey(), type.getValue());
                    put(counting, type.getKey(), new ContextRewriter(type.getValue()).rewrite());
                }
            }
        }
    }

    private static JarOutputStream jar(String file) throws IOException {
        JarOutputStream jar = new JarOutputStream(Files.newOutputStream(Path.of(file)));
        jar.setLevel(1);
        return jar;
    }

    private static void put(JarOutputStream jar, String name, byte[] bytes) throws IOException {
        jar.putNextEntry(new JarEntry(name + ".class"));
        jar.write(bytes);
        jar.closeEntry();
    }
}
