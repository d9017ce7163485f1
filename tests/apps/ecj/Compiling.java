package apps.ecj;

import apps.App;
import apps.Digest;
import apps.Size;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;

/** Eclipse's compiler compiles a library from its published sources; the digest covers the class files. */
public final class Compiling implements App {
    /** What is compiled for tests, with whatever it refers to elsewhere in the tree. */
    private static final String SMALL_PART = "org/apache/commons/math3/fraction";

    private Path sources;
    private List<String> arguments;
    private Path classes;

    @Override
    public String name() {
        return "ecj";
    }

    @Override
    public void prepare(Size size) throws IOException {
        Path folder = Files.createTempDirectory("subsume-ecj");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
        sources = folder.resolve("src");
        classes = folder.resolve("classes");
        unpack(sourcesJar(), sources);

        // The interface of Java 8 as every JDK ships it, not the running
        // JDK's own classes: otherwise overloads could resolve differently.
        arguments = new ArrayList<>(List.of("--release", "8", "-proc:none", "-nowarn", "-g",
                "-encoding", "UTF-8", "-d", classes.toString()));
        arguments.add("-sourcepath");
        arguments.add(sources.toString());
        // Named file by file: the order within folders depends on the disk.
        Path start = size == Size.SMALL ? sources.resolve(SMALL_PART) : sources;
        try (Stream<Path> files = Files.walk(start)) {
            files.map(Path::toString).filter(f -> f.endsWith(".java") && !f.endsWith("package-info.java"))
                    .sorted().forEach(arguments::add);
        }
    }

    @Override
    public String iterate(Size size) throws IOException {
        delete(classes);
        StringWriter messages = new StringWriter();
        PrintWriter out = new PrintWriter(messages);
        if (!BatchCompiler.compile(arguments.toArray(String[]::new), out, out, null)) {
            throw new IOException("the compiler failed: " + messages);
        }
        Digest digest = new Digest();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                digest.add(classes.relativize(file).toString());
                byte[] bytes = Files.readAllBytes(file);
                digest.write(bytes, 0, bytes.length);
            }
        }
        return digest.text();
    }

    private static Path sourcesJar() throws IOException {
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (entry.endsWith("-sources.jar")) {
                return Path.of(entry);
            }
        }
        throw new IOException("no jar of sources on the class path");
    }

    private static void unpack(Path jar, Path folder) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(jar))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = folder.resolve(entry.getName()).normalize();
                if (entry.getName().endsWith(".java") && file.startsWith(folder)) {
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file);
                }
            }
        }
    }

    private static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
