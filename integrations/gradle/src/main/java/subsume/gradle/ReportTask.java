package subsume.gradle;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.tasks.Internal;
import org.gradle.work.DisableCachingByDefault;

/** Writes a page for the browser, and a summary in Markdown; with a baseline, both on what differs. */
@DisableCachingByDefault(because = "it depends on files that it is only told of when it runs")
public abstract class ReportTask extends ComparingTask {
    /** Folders of sources. */
    @Internal
    public abstract ConfigurableFileCollection getSources();

    @Override
    void compare(Installation subsume, Path profile, Path baseline) {
        List<String> profiles = new ArrayList<>();
        if (baseline != null) {
            profiles.add(baseline.toString());
        }
        profiles.add(profile.toString());
        Path page = profile.resolveSibling("report.html");
        List<String> question = new ArrayList<>(List.of("report", "-o", page.toString()));
        question.addAll(selection());
        for (File folder : getSources()) {
            if (folder.isDirectory()) {
                question.addAll(List.of("--sources", folder.getPath()));
            }
        }
        question.addAll(profiles);
        subsume.ask(question);
        getLogger().lifecycle(page.toString());
        List<String> words = new ArrayList<>(List.of(baseline != null ? "diff" : "summary", "--markdown"));
        words.addAll(selection());
        words.addAll(profiles);
        getLogger().lifecycle(write("summary.md", subsume.ask(words)).toString());
    }

    @Override
    void withoutProfiles(Path baseline) {
        getLogger().lifecycle("nothing to report: nothing was recorded");
    }
}
