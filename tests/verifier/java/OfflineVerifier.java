import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Checks rewritten classes with the verifier of {@code java.lang.classfile} (JDK 25), without loading them.
 *
 * <p>The JDK itself ships classes that this verifier rejects, so the yardstick is not an empty list of complaints:
 * a rewritten class must not earn a complaint that its original does not earn. Complaints are compared with all
 * numbers removed, because bytecode indices and constant pool indices move when code is inserted.
 *
 * <p>Usage: {@code OfflineVerifier IMAGE REWRITTEN CONTROL}. IMAGE and REWRITTEN hold one folder per module; CONTROL is
 * a class file that must be rejected, so that a verifier that accepts everything is noticed. The exit code is 0 when
 * nothing new was found, 1 otherwise.
 */
public final class OfflineVerifier {
    private final Map<String, Path> originals = new HashMap<>();
    private final ClassFile verifier;

    private OfflineVerifier(Path image) throws IOException {
        for (Path file : classFiles(image)) {
            originals.put(internalName(image, file), file);
        }
        // The hierarchy comes from the image under test: the running JDK lacks classes that another version has.
        ClassHierarchyResolver hierarchy =
                ClassHierarchyResolver.ofResourceParsing(this::open).cached(ConcurrentHashMap::new);
        verifier = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(hierarchy));
    }

    private InputStream open(ClassDesc type) {
        String descriptor = type.descriptorString();
        Path file = originals.get(descriptor.substring(1, descriptor.length() - 1));
        try {
            return file == null ? null : Files.newInputStream(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** The complaints about one class; a verifier that throws counts as one complaint. */
    private List<String> complaints(byte[] bytes) {
        List<String> complaints = new ArrayList<>();
        try {
            for (VerifyError error : verifier.verify(bytes)) {
                complaints.add(String.valueOf(error.getMessage()));
            }
        } catch (RuntimeException | Error e) {
            complaints.add(e.toString());
        }
        return complaints;
    }

    private static String withoutNumbers(String complaint) {
        // Only the first line says what is wrong; the rest dumps the frame, which legitimately has more locals now.
        String firstLine = complaint.lines().findFirst().orElse("");
        return firstLine.replaceAll("[0-9]+", "#");
    }

    private List<String> newComplaints(byte[] original, byte[] rewritten) {
        List<String> complaints = complaints(rewritten);
        if (complaints.isEmpty()) {
            return complaints;
        }
        List<String> known = new ArrayList<>();
        for (String complaint : complaints(original)) {
            known.add(withoutNumbers(complaint));
        }
        List<String> fresh = new ArrayList<>();
        for (String complaint : complaints) {
            // Each known complaint excuses one complaint, not any number of them.
            if (!known.remove(withoutNumbers(complaint))) {
                fresh.add(complaint);
            }
        }
        return fresh;
    }

    private static List<Path> classFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.endsWith("module-info.class"))
                    .sorted()
                    .toList();
        }
    }

    private static String internalName(Path folder, Path file) {
        Path inModule = folder.relativize(file);
        String name = inModule.subpath(1, inModule.getNameCount()).toString();
        return name.substring(0, name.length() - ".class".length());
    }

    public static void main(String[] arguments) throws IOException {
        Path image = Path.of(arguments[0]);
        Path rewritten = Path.of(arguments[1]);
        Path control = Path.of(arguments[2]);
        PrintStream out = System.out;

        OfflineVerifier offline = new OfflineVerifier(image);
        if (offline.complaints(Files.readAllBytes(control)).isEmpty()) {
            out.println("the control class " + control + " was accepted: this verifier proves nothing");
            System.exit(1);
        }

        long start = System.nanoTime();
        List<Path> files = classFiles(rewritten);
        AtomicInteger rejected = new AtomicInteger();
        AtomicInteger missing = new AtomicInteger();
        files.parallelStream().forEach(file -> {
            try {
                Path original = offline.originals.get(internalName(rewritten, file));
                if (original == null) {
                    missing.incrementAndGet();
                    out.println(file + ": there is no such class in the image");
                    return;
                }
                List<String> fresh = offline.newComplaints(Files.readAllBytes(original), Files.readAllBytes(file));
                if (!fresh.isEmpty()) {
                    rejected.incrementAndGet();
                    fresh.forEach(complaint -> out.println(file + ": " + complaint));
                }
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        double seconds = (System.nanoTime() - start) / 1e9;
        out.printf("offline verifier: %d classes, %d rejected, %d of %d classes of the image not rewritten, %.0f classes/s%n",
                files.size(), rejected.get(), offline.originals.size() - (files.size() - missing.get()),
                offline.originals.size(), files.size() / seconds);
        boolean complete = files.size() - missing.get() == offline.originals.size() && !files.isEmpty();
        System.exit(rejected.get() == 0 && missing.get() == 0 && complete ? 0 : 1);
    }
}
