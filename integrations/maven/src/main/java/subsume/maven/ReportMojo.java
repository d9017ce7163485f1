package subsume.maven;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;

/**
 * Writes a page for the browser, and a summary in Markdown; with a baseline, both on what is otherwise.
 */
@Mojo(name = "report", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class ReportMojo extends ComparingMojo {
    @Override
    void compare(Subsume subsume, Path profile, Path baseline) throws MojoExecutionException {
        Path page = folder.toPath().resolve("report.html");
        List<String> profiles = new ArrayList<>();
        if (baseline != null) {
            profiles.add(baseline.toString());
        }
        profiles.add(profile.toString());
        List<String> question = new ArrayList<>(List.of("report", "-o", page.toString()));
        question.addAll(selection());
        for (String root : project.getCompileSourceRoots()) {
            if (Files.isDirectory(Path.of(root))) {
                question.addAll(List.of("--sources", root));
            }
        }
        question.addAll(profiles);
        subsume.ask(question);
        getLog().info(page.toString());
        List<String> words = new ArrayList<>(List.of(baseline != null ? "diff" : "summary", "--markdown"));
        words.addAll(selection());
        words.addAll(profiles);
        getLog().info(write("summary.md", subsume.ask(words)).toString());
    }

    @Override
    void withoutProfiles(String reason) {
        getLog().info("nothing to report: " + reason);
    }
}
