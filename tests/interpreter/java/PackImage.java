import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the classes of the running JDK's module {@code java.base} into one file.
 *
 * <p>For each class its name (length in two bytes, then modified UTF-8), its length in four bytes
 * and its bytes.
 */
class PackImage {
    public static void main(String[] arguments) throws IOException {
        Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", "java.base");
        List<Path> classes;
        try (Stream<Path> files = Files.walk(base)) {
            classes = files.filter(file -> file.toString().endsWith(".class")).collect(Collectors.toList());
        }
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(Path.of(arguments[0]))))) {
            for (Path file : classes) {
                String name = base.relativize(file).toString();
                byte[] bytes = Files.readAllBytes(file);
                out.writeUTF(name.substring(0, name.length() - ".class".length()));
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        }
    }
}
