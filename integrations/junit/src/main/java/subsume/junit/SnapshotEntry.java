package subsume.junit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The costs of a test in a {@link Snapshot}: ranges, and what its most expensive methods cost at most. */
final class SnapshotEntry {
    /** Between the parts of a line. */
    static final String SEPARATOR = " | ";
    /** Methods that are kept. */
    private static final int METHODS = 10;

    private final long[] bytecodes;
    private final long[] objects;
    /** Bytecodes of methods, with those of the JDK for them. */
    private final Map<String, Long> methods;

    private SnapshotEntry(long[] bytecodes, long[] objects, Map<String, Long> methods) {
        this.bytecodes = bytecodes;
        this.objects = objects;
        this.methods = methods;
    }

    SnapshotEntry(Costs costs) {
        this(new long[] {costs.bytecodes(), costs.bytecodes()}, new long[] {costs.objects(), costs.objects()},
                new TreeMap<>());
        for (Costs.Part part : costs.parts()) {
            if (part.bytecodes > 0) {
                methods.merge(part.className + "." + part.method, part.bytecodes, Long::sum);
            }
        }
    }

    /** Both. */
    SnapshotEntry with(SnapshotEntry other) {
        Map<String, Long> most = new TreeMap<>(methods);
        other.methods.forEach((method, cost) -> most.merge(method, cost, Math::max));
        return new SnapshotEntry(with(bytecodes, other.bytecodes), with(objects, other.objects), most);
    }

    private static long[] with(long[] one, long[] other) {
        return new long[] {Math.min(one[0], other[0]), Math.max(one[1], other[1])};
    }

    /**
     * What has grown, and the method that has grown most; {@code null} if that is within the spread:
     * beyond the most by no more than the most is beyond the least.
     */
    String growthSince(SnapshotEntry before) {
        String growth = growth("executes", bytecodes[1], "bytecodes", before.bytecodes);
        if (growth == null) {
            growth = growth("allocates", objects[1], "objects", before.objects);
        }
        if (growth == null) {
            return null;
        }
        String blamed = null;
        long most = 0;
        for (Map.Entry<String, Long> method : methods.entrySet()) {
            long more = method.getValue() - before.methods.getOrDefault(method.getKey(), 0L);
            if (more > most) {
                most = more;
                blamed = method.getKey();
            }
        }
        return blamed == null
                ? growth
                : growth + "\nmost of it: " + blamed + " executes " + CostMessage.number(most)
                        + " bytecodes more, including the JDK methods that it calls";
    }

    private static String growth(String verb, long now, String unit, long[] before) {
        long spread = before[1] - before[0];
        return now <= before[1] + spread
                ? null
                : verb + " " + CostMessage.number(now) + " " + unit + ", and "
                        + CostMessage.number(before[1]) + " in the snapshot";
    }

    /** What follows the name of a test in its line; {@code null} if this is something else. */
    static SnapshotEntry parse(String text) {
        String[] parts = text.split(" \\| ", -1);
        long[] bytecodes = range("bytecodes", parts, 0);
        long[] objects = range("objects", parts, 1);
        if (bytecodes == null || objects == null || parts.length != 3) {
            return null;
        }
        Map<String, Long> methods = new TreeMap<>();
        for (String method : parts[2].split(", ")) {
            int space = method.lastIndexOf(' ');
            Long cost = number(method.substring(space + 1));
            if (space > 0 && cost != null) {
                methods.put(method.substring(0, space), cost);
            } else if (!method.isEmpty()) {
                return null;
            }
        }
        return new SnapshotEntry(bytecodes, objects, methods);
    }

    private static long[] range(String unit, String[] parts, int at) {
        String[] words = at < parts.length ? parts[at].split(" ") : new String[0];
        if (words.length != 3 || !words[0].equals(unit)) {
            return null;
        }
        Long least = number(words[1]);
        Long most = number(words[2]);
        return least == null || most == null || least > most ? null : new long[] {least, most};
    }

    private static Long number(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException none) {
            return null;
        }
    }

    @Override
    public String toString() {
        List<Map.Entry<String, Long>> largest = new ArrayList<>(methods.entrySet());
        largest.sort(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()));
        StringBuilder text = new StringBuilder();
        text.append("bytecodes ").append(bytecodes[0]).append(' ').append(bytecodes[1]).append(SEPARATOR);
        text.append("objects ").append(objects[0]).append(' ').append(objects[1]).append(SEPARATOR);
        String separator = "";
        for (Map.Entry<String, Long> method : largest.subList(0, Math.min(METHODS, largest.size()))) {
            text.append(separator).append(method.getKey()).append(' ').append(method.getValue());
            separator = ", ";
        }
        return text.toString();
    }
}
