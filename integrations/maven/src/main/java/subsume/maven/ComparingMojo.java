package subsume.maven;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;

/** A goal on what was recorded, and what it is compared with. */
abstract class ComparingMojo extends ProfileMojo {
    /**
     * What the recording is compared with: a profile, or the folder of another checkout in which the
     * same build was run; then each module is compared with itself there.
     */
    @Parameter(property = "subsume.baseline")
    File baseline;

    /**
     * Methods of which only what lies below counts, as in {@code org.example.*Test.*}; {@code ;} stands
     * between several, and {@code *} alone takes everything. Otherwise those of the module's own classes.
     */
    @Parameter(property = "subsume.under")
    private String under;

    /** Methods below which nothing counts. */
    @Parameter(property = "subsume.without", defaultValue = "jvm-start;class-loading")
    String without;

    @Parameter(defaultValue = "${project.build.outputDirectory}", readonly = true)
    private File classes;

    @Parameter(defaultValue = "${project.build.testOutputDirectory}", readonly = true)
    private File testClasses;

    /** The module's own classes, where these are what counts; otherwise empty. */
    private OwnClasses own;

    @Override
    final void perform() throws MojoExecutionException, MojoFailureException {
        begin();
        own = OwnClasses.in(under == null ? List.of(classes, testClasses) : List.of());
        if (recording().profiles().isEmpty()) {
            withoutProfiles("no JVM of " + project.getId() + " had the agent");
            return;
        }
        Subsume subsume = Subsume.find(command);
        Path profile = recording().merge(folder.toPath().resolve("profile.subsume"), subsume);
        if (counts(profile, subsume)) {
            compare(subsume, profile, baseline != null ? before(subsume) : null);
        } else {
            withoutProfiles("no class of " + project.getId() + " was executed");
        }
    }

    /** What comes before all else. */
    void begin() throws MojoExecutionException {}

    /** Works on the profile of all JVMs, and on that of the baseline if there is one. */
    abstract void compare(Subsume subsume, Path profile, Path baseline)
            throws MojoExecutionException, MojoFailureException;

    /** What to do where nothing was recorded that counts, for this reason. */
    abstract void withoutProfiles(String reason) throws MojoExecutionException, MojoFailureException;

    /** Whether the baseline has something of this module. */
    final boolean isInBaseline() throws MojoExecutionException {
        return baseline != null && before(Subsume.find(command)) != null;
    }

    /** The options that choose what counts. */
    final List<String> selection() {
        List<String> options = new ArrayList<>();
        String methods = own.isEmpty() ? under : own.methods();
        if (methods != null) {
            options.addAll(List.of("--under", methods));
        }
        if (without != null) {
            options.addAll(List.of("--without", without));
        }
        return options;
    }

    /** The baseline's profile, or {@code null} if it has nothing of this module that counts. */
    private Path before(Subsume subsume) throws MojoExecutionException {
        Baseline other = new Baseline(baseline, Path.of(session.getExecutionRootDirectory()), folder.toPath());
        Path profile = other.profile(folder.toPath().resolve("baseline.subsume"), subsume);
        return profile != null && counts(profile, subsume) ? profile : null;
    }

    private boolean counts(Path profile, Subsume subsume) throws MojoExecutionException {
        return own.isEmpty() || own.areIn(profile, subsume);
    }
}
