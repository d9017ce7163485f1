import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Links every class of every module of the running JVM, so that HotSpot's own verifier sees all of them.
 *
 * <p>Classes are found through the {@code jrt:} file system and loaded without being initialised;
 * {@link Class#getDeclaredMethods} forces the link. Failures other than verification (a missing optional module, for
 * example) also happen on an untouched JDK; the caller compares the printed lines of both runs.
 *
 * <p>Usage: {@code LinkAll [CONTROL]}. CONTROL is the name of a class that must be rejected: without it nothing would
 * show that the JVM verified at all. Output: one line {@code FAILED module/class error} per failure, then a summary.
 * The exit code is 1 when the control class was accepted.
 */
public final class LinkAll {
    private final Map<String, String> failures = new TreeMap<>();
    private int linked;

    private void link(String module, String className) {
        try {
            Module home = ModuleLayer.boot().findModule(module).orElse(null);
            if (home == null) {
                return;
            }
            ClassLoader loader = home.getClassLoader();
            Class<?> type = Class.forName(className, false, loader);
            type.getDeclaredMethods();
            linked++;
        } catch (Throwable failure) {
            String message = failure.toString();
            failures.put(module + "/" + className, message.lines().findFirst().orElse(""));
        }
    }

    private static List<Path> classFiles(Path modules) {
        try (Stream<Path> files = Files.walk(modules)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.endsWith("module-info.class"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean rejects(String control) {
        try {
            Class.forName(control, false, null).getDeclaredMethods();
            return false;
        } catch (VerifyError expected) {
            return true;
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("the control class is not on the boot path", e);
        }
    }

    public static void main(String[] arguments) {
        PrintStream out = System.out;
        if (arguments.length > 0 && !rejects(arguments[0])) {
            out.println("the control class " + arguments[0] + " was accepted: this JVM does not verify boot classes");
            System.exit(1);
        }
        LinkAll all = new LinkAll();
        FileSystem image = FileSystems.getFileSystem(URI.create("jrt:/"));
        Path modules = image.getPath("/modules");
        for (Path file : classFiles(modules)) {
            Path inModule = modules.relativize(file);
            String name = inModule.subpath(1, inModule.getNameCount()).toString();
            name = name.substring(0, name.length() - ".class".length()).replace('/', '.');
            all.link(inModule.getName(0).toString(), name);
        }
        all.failures.forEach((type, error) -> out.println("FAILED " + type + " " + error));
        out.printf("LINKED %d FAILED %d JAVA %s%n", all.linked, all.failures.size(),
                System.getProperty("java.specification.version"));
    }
}
