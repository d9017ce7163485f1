package subsume.maven;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.maven.plugin.MojoExecutionException;

/** The reports of one run of tests, in a folder of their own. */
final class TestReports {
    private static final List<String> COUNTS = List.of("tests", "failures", "errors", "skipped");

    /** A line of them with failures or errors. */
    private static final Pattern FAILED = Pattern.compile("(.*), tests: .*(failures|errors): [1-9].*");

    private final Path folder;

    TestReports(Path folder) {
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    /** Removes those of an earlier run. */
    void remove() throws MojoExecutionException {
        for (Path file : files("", "")) {
            try {
                Files.delete(file);
            } catch (IOException impossible) {
                throw new MojoExecutionException(file + " cannot be removed", impossible);
            }
        }
    }

    /** Whether no test was run. */
    boolean isEmpty() throws MojoExecutionException {
        return suites().isEmpty();
    }

    /** Prints what can be compared with another run: how many tests ended how, and what they printed; no times. */
    void print(Path to) throws MojoExecutionException {
        try (OutputStream out = Files.newOutputStream(to)) {
            for (Path report : suites()) {
                out.write((counts(report) + "\n").getBytes(StandardCharsets.UTF_8));
            }
            for (Path output : files("", "-output.txt")) {
                Files.copy(output, out);
            }
        } catch (IOException impossible) {
            throw new MojoExecutionException(to + " cannot be written", impossible);
        }
    }

    /** The classes with tests that fail. */
    List<String> failed() throws MojoExecutionException {
        List<String> names = new ArrayList<>();
        for (Path report : suites()) {
            Matcher counts = FAILED.matcher(counts(report));
            if (counts.matches()) {
                names.add(counts.group(1));
            }
        }
        return names;
    }

    private List<Path> suites() throws MojoExecutionException {
        return files("TEST-", ".xml");
    }

    private static String counts(Path report) throws MojoExecutionException {
        try (InputStream file = Files.newInputStream(report)) {
            XMLStreamReader suite = XMLInputFactory.newFactory().createXMLStreamReader(file);
            suite.nextTag();
            StringBuilder line = new StringBuilder(suite.getAttributeValue(null, "name"));
            for (String count : COUNTS) {
                line.append(", ").append(count).append(": ").append(suite.getAttributeValue(null, count));
            }
            return line.toString();
        } catch (IOException | XMLStreamException impossible) {
            throw new MojoExecutionException(report + " cannot be read", impossible);
        }
    }

    private List<Path> files(String beginning, String ending) throws MojoExecutionException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.getFileName().toString().startsWith(beginning))
                    .filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException impossible) {
            throw new MojoExecutionException(folder + " cannot be read", impossible);
        }
    }
}
