package subsume.maven;

import java.io.File;
import java.util.List;
import java.util.stream.Stream;
import org.apache.maven.model.Build;
import org.apache.maven.project.MavenProject;

/**
 * Where the classes of a build's modules come from: their folders, and, as one module finds another
 * one's on the class path once that was packed, their archives.
 *
 * <p>The agent is told before anything is compiled, so these are places and not names.
 */
final class OwnPlaces {
    private OwnPlaces() {}

    /** The agent's option; nothing if there is nothing that it can say. */
    static String option(List<MavenProject> modules) {
        String places = String.join(
                ";",
                modules.stream()
                        .flatMap(OwnPlaces::of)
                        .filter(place -> place.startsWith("/") && !place.contains(",") && !place.contains(";"))
                        .distinct()
                        .toList());
        return places.isEmpty() ? "" : "own=" + places;
    }

    private static Stream<String> of(MavenProject module) {
        if (module.getPackaging().equals("pom")) {
            return Stream.empty();
        }
        Build build = module.getBuild();
        String archive = build.getDirectory() + File.separator + build.getFinalName();
        return Stream.of(build.getOutputDirectory(), build.getTestOutputDirectory(), archive + ".jar", archive + "-tests.jar");
    }
}
