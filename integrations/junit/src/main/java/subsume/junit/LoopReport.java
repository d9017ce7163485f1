package subsume.junit;

import java.util.ArrayList;
import java.util.List;

/** What the agent says of a loop: lines with a key, a colon and a value, as docs/how-to/junit.md lists them. */
final class LoopReport {
    /** A way in which the loop reads similar values. */
    static final class Way {
        /** Its line in a baseline. */
        final String known;
        String sentence = "";
        String hint = "";

        Way(String known) {
            this.known = known;
        }
    }

    boolean isRedundant;
    StackTraceElement loop = new StackTraceElement("", "?", null, -1);
    String summary = "";
    /** The calls that led to it, the innermost first. */
    final List<StackTraceElement> callers = new ArrayList<>();
    /** What wastes most first. */
    final List<Way> ways = new ArrayList<>();

    LoopReport(String text) {
        for (String line : text.split("\n")) {
            int colon = line.indexOf(": ");
            if (colon > 0) {
                read(line.substring(0, colon), line.substring(colon + 2));
            }
        }
    }

    private void read(String key, String value) {
        switch (key) {
            case "verdict":
                isRedundant = value.equals("redundant");
                break;
            case "loop":
                loop = frame(value);
                break;
            case "caller":
                callers.add(frame(value));
                break;
            case "summary":
                summary = value;
                break;
            case "known":
                ways.add(new Way(value));
                break;
            case "sentence":
                last().sentence = value;
                break;
            case "hint":
                last().hint = value;
                break;
            default:
                // Of a later agent.
        }
    }

    private Way last() {
        if (ways.isEmpty()) {
            ways.add(new Way(""));
        }
        return ways.get(ways.size() - 1);
    }

    /** Class, method, file and line, with tabs in between. */
    private static StackTraceElement frame(String value) {
        String[] parts = value.split("\t", -1);
        if (parts.length != 4) {
            return new StackTraceElement("", value, null, -1);
        }
        int line;
        try {
            line = Integer.parseInt(parts[3]);
        } catch (NumberFormatException none) {
            line = 0;
        }
        String file = parts[2].isEmpty() ? null : parts[2];
        return new StackTraceElement(parts[0], parts[1], file, line == 0 ? -1 : line);
    }
}
