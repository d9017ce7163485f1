package subsume.junit;

import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/** What a developer reads of a test that costs too much: at most six lines. */
final class CostMessage {
    /** Methods that are named. */
    private static final int METHODS = 3;
    /** Limits that are named. */
    private static final int LIMITS = 2;

    /** What methods are ranked by. */
    enum Unit {
        BYTECODES("bytecodes", Costs::bytecodes, part -> part.bytecodes),
        OBJECTS("objects", Costs::objects, part -> part.objects),
        BYTES("bytes", Costs::bytes, part -> part.bytes);

        private final String name;
        private final ToLongFunction<Costs> all;
        private final ToLongFunction<Costs.Part> of;

        Unit(String name, ToLongFunction<Costs> all, ToLongFunction<Costs.Part> of) {
            this.name = name;
            this.all = all;
            this.of = of;
        }
    }

    private CostMessage() {
    }

    /** Says which limits were exceeded, and which methods cost most. */
    static String text(List<String> exceeded, Costs costs, Unit unit) {
        StringBuilder text = beginning(exceeded);
        ToLongFunction<Costs.Part> cost = unit.of;
        long all = unit.all.applyAsLong(costs);
        List<Costs.Part> largest = costs.parts();
        // Less than a thousandth would be shown as nothing.
        largest.removeIf(part -> cost.applyAsLong(part) < Math.max(1, all / 1000));
        largest.sort(Comparator.comparingLong(cost).reversed());
        if (largest.size() > METHODS) {
            largest = new ArrayList<>(largest.subList(0, METHODS));
        }
        largest.sort(Comparator.comparing(part -> !isOwn(part.className, costs.loader())));
        text.append("methods with the most ").append(unit.name).append(", including the JDK methods that they call:");
        for (Costs.Part part : largest) {
            double share = 100.0 * cost.applyAsLong(part) / all;
            text.append(String.format(Locale.ROOT, "\n  %5.1f %%  %s.%s", share, part.className, part.method));
        }
        return text.toString();
    }

    /**
     * Says which limits were exceeded, and which methods count for the first of them, a limit of
     * calls. If that is only the method named by the limit, says instead which methods cost most.
     */
    static String textOfCalls(List<String> exceeded, Costs costs, String pattern) {
        Map<String, Long> calls = costs.callsByMethod(pattern);
        if (calls.keySet().equals(Collections.singleton(pattern))) {
            return text(exceeded, costs, Unit.BYTECODES);
        }
        StringBuilder text = beginning(exceeded);
        List<Map.Entry<String, Long>> methods = new ArrayList<>(calls.entrySet());
        methods.sort(Map.Entry.comparingByValue(Comparator.reverseOrder()));
        text.append("calls of each method that counts as ").append(pattern);
        if (methods.size() > METHODS) {
            text.append(", the ").append(METHODS).append(" most called of ").append(methods.size());
            methods = methods.subList(0, METHODS);
        }
        text.append(':');
        for (Map.Entry<String, Long> method : methods) {
            text.append(String.format(Locale.ROOT, "\n  %,7d  %s", method.getValue(), method.getKey()));
        }
        return text.toString();
    }

    private static StringBuilder beginning(List<String> exceeded) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < Math.min(LIMITS, exceeded.size()); at++) {
            text.append(exceeded.get(at)).append('\n');
        }
        return text;
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
