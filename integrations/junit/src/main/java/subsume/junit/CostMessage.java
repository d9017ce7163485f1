package subsume.junit;

import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** What a developer reads of a test that costs too much: at most six lines. */
final class CostMessage {
    /** Methods that are named. */
    private static final int METHODS = 3;
    /** Limits that are named. */
    private static final int LIMITS = 2;

    private CostMessage() {
    }

    /** Says which limits were exceeded, and which methods cost most. */
    static String text(List<String> exceeded, Costs costs, boolean ofObjects) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < Math.min(LIMITS, exceeded.size()); at++) {
            text.append(exceeded.get(at)).append('\n');
        }
        ToLongFunction<Costs.Part> cost = ofObjects ? part -> part.objects : part -> part.bytecodes;
        long all = ofObjects ? costs.objects() : costs.bytecodes();
        List<Costs.Part> largest = costs.parts();
        // Less than a thousandth would be shown as nothing.
        largest.removeIf(part -> cost.applyAsLong(part) < Math.max(1, all / 1000));
        largest.sort(Comparator.comparingLong(cost).reversed());
        if (largest.size() > METHODS) {
            largest = new ArrayList<>(largest.subList(0, METHODS));
        }
        largest.sort(Comparator.comparing(part -> !isOwn(part.className, costs.loader())));
        text.append(ofObjects ? "most objects" : "most bytecodes");
        text.append(", with those of the JDK for it:");
        for (Costs.Part part : largest) {
            double share = 100.0 * cost.applyAsLong(part) / all;
            text.append(String.format(Locale.ROOT, "\n  %5.1f %%  %s.%s", share, part.className, part.method));
        }
        return text.toString();
    }

    /** A number for people. */
    static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Whether a class comes from a folder: a build puts what it compiles there, and libraries are archives. */
    private static boolean isOwn(String name, ClassLoader loader) {
        try {
            CodeSource source = Class.forName(name, false, loader).getProtectionDomain().getCodeSource();
            URL location = source == null ? null : source.getLocation();
            return location != null && location.getPath().endsWith("/");
        } catch (ClassNotFoundException | LinkageError | SecurityException unknown) {
            return false;
        }
    }
}
