///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVA 17+
//DESCRIPTION Runs a Java program under subsume, which counts exactly what it executes

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Starts the command subsume, which it fetches first if it is not on the path:
 *
 * <pre>
 * jbang subsume@OWNER/REPOSITORY run -- java -jar app.jar
 * jbang subsume@OWNER/REPOSITORY app.jar arguments
 * jbang subsume@OWNER/REPOSITORY methods app.subsume
 * </pre>
 *
 * The archive comes from the folder that SUBSUME_PACKAGES names, as https://... or file://..., and is
 * kept in ~/.cache/subsume. The file SHA256SUMS there has to agree with it.
 */
class subsume {
    private static final String VERSION = "0.1.0";
    private static final String NAME = "subsume-" + VERSION;
    private static final String ARCHIVE = NAME + "-linux-x86_64.tar.gz";

    public static void main(String[] words) throws Exception {
        List<String> line = new ArrayList<>();
        try {
            line.add(command().toString());
        } catch (IOException failure) {
            System.err.println("subsume: " + failure.getMessage());
            System.exit(2);
        }
        boolean isProgram = words.length > 0 && words[0].endsWith(".jar");
        if (isProgram) {
            String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
            line.addAll(List.of("run", "--", java, "-jar"));
        }
        line.addAll(Arrays.asList(words));
        System.exit(new ProcessBuilder(line).inheritIO().start().waitFor());
    }

    /** The command on the path, or the one that was fetched. */
    private static Path command() throws IOException {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":")) {
            Path file = Path.of(folder.isEmpty() ? "." : folder, "subsume");
            // JBang puts scripts that were installed into a folder of its own.
            if (Files.isExecutable(file) && !file.toString().contains("/.jbang/")) {
                return file;
            }
        }
        String home = System.getenv().getOrDefault("XDG_CACHE_HOME", System.getProperty("user.home") + "/.cache");
        Path cache = Path.of(home, "subsume");
        Path command = cache.resolve(NAME).resolve("bin/subsume");
        if (!Files.isExecutable(command)) {
            fetch(cache);
        }
        return command;
    }

    private static void fetch(Path cache) throws IOException {
        String packages = System.getenv("SUBSUME_PACKAGES");
        if (packages == null) {
            throw new IOException("there is no command 'subsume' on the path: install it, or let SUBSUME_PACKAGES "
                    + "name the folder with " + ARCHIVE);
        }
        Files.createDirectories(cache);
        Path work = Files.createTempDirectory(cache, "unfinished-");
        try {
            Path archive = work.resolve(ARCHIVE);
            String sum = download(packages + "/" + ARCHIVE, archive);
            Path sums = work.resolve("SHA256SUMS");
            download(packages + "/SHA256SUMS", sums);
            boolean agrees = Files.readAllLines(sums).stream()
                    .anyMatch(one -> one.startsWith(sum) && one.endsWith(ARCHIVE));
            if (!agrees) {
                throw new IOException(packages + "/" + ARCHIVE + " does not have the checksum in SHA256SUMS");
            }
            Process tar = new ProcessBuilder("tar", "-xzf", ARCHIVE).directory(work.toFile()).inheritIO().start();
            if (tar.waitFor() != 0) {
                throw new IOException(archive + " cannot be unpacked");
            }
            // Somebody else may have been faster.
            if (!Files.exists(cache.resolve(NAME))) {
                Files.move(work.resolve(NAME), cache.resolve(NAME));
            }
        } catch (InterruptedException stopped) {
            throw new IOException("stopped while it was fetched", stopped);
        } finally {
            remove(work);
        }
    }

    /** Writes a file, and gives its checksum. */
    private static String download(String address, Path file) throws IOException {
        try (DigestInputStream in = new DigestInputStream(open(address), MessageDigest.getInstance("SHA-256"))) {
            Files.copy(in, file);
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (java.security.NoSuchAlgorithmException impossible) {
            throw new IOException(impossible);
        }
    }

    private static InputStream open(String address) throws IOException {
        try {
            return URI.create(address).toURL().openStream();
        } catch (IllegalArgumentException | IOException failure) {
            throw new IOException(address + " cannot be fetched: " + failure.getMessage(), failure);
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
