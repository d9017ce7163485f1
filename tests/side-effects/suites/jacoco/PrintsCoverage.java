import java.io.File;
import java.io.IOException;
import java.util.TreeSet;
import java.util.Set;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.analysis.IMethodCoverage;
import org.jacoco.core.tools.ExecFileLoader;

/**
 * {@code PrintsCoverage RESULTS CLASSES} prints what JaCoCo found covered of each method below a
 * folder of classes, and which classes it found to be others than those that ran.
 */
public final class PrintsCoverage {
    private PrintsCoverage() {
    }

    public static void main(String[] args) throws IOException {
        ExecFileLoader results = new ExecFileLoader();
        results.load(new File(args[0]));
        CoverageBuilder coverage = new CoverageBuilder();
        new Analyzer(results.getExecutionDataStore(), coverage).analyzeAll(new File(args[1]));
        Set<String> lines = new TreeSet<>();
        for (IClassCoverage covered : coverage.getClasses()) {
            for (IMethodCoverage method : covered.getMethods()) {
                lines.add(covered.getName() + "." + method.getName() + method.getDesc()
                    + " instructions " + text(method.getInstructionCounter())
                    + " branches " + text(method.getBranchCounter()) + " lines " + text(method.getLineCounter()));
            }
        }
        for (IClassCoverage other : coverage.getNoMatchClasses()) {
            lines.add(other.getName() + " DOES NOT MATCH");
        }
        lines.forEach(System.out::println);
    }

    private static String text(ICounter counter) {
        return counter.getCoveredCount() + "/" + counter.getTotalCount();
    }
}
