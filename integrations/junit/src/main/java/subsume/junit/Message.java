package subsume.junit;

import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;

/** What a developer reads of the loops of a test. */
final class Message {
    /** Calls that are shown where none of them is one of the test's. */
    private static final int CALLS = 4;

    /** A loop with the way in which it reads that is reported. */
    static final class Entry {
        final LoopReport report;
        final LoopReport.Way way;

        Entry(LoopReport report, LoopReport.Way way) {
            this.report = report;
            this.way = way;
        }
    }

    private final Class<?> test;

    /** For a test of this class, which may be {@code null}. */
    Message(Class<?> test) {
        this.test = test;
    }

    String text(List<Entry> entries) {
        StringBuilder text = new StringBuilder();
        text.append(entries.size() == 1 ? "1 loop reads" : entries.size() + " loops read");
        text.append(" the same data again and again\n");
        for (Entry entry : entries) {
            append(text, entry);
        }
        text.append("\nTo accept this, say why: @AllowRepeatedReads(\"reason\") on the test or its class; or")
                .append("\nhave it written to a file of known loops: -D").append(Settings.BASELINE)
                .append("=FILE -D").append(Settings.WRITE).append("=true");
        return text.toString();
    }

    private void append(StringBuilder text, Entry entry) {
        LoopReport report = entry.report;
        text.append('\n').append(report.loop);
        if (isTestCode(report.loop.getClassName())) {
            text.append(", in test code");
        }
        text.append("\n  ").append(report.summary);
        text.append("\n  ").append(entry.way.sentence);
        text.append("\n  ").append(entry.way.hint).append('\n');
        String separator = "  called by ";
        for (StackTraceElement caller : callers(report)) {
            text.append(separator).append(caller).append('\n');
            separator = "    < ";
        }
    }

    /** The loop, and the calls that led to it up to the test's own. */
    StackTraceElement[] stack(LoopReport report) {
        List<StackTraceElement> stack = new ArrayList<>();
        stack.add(report.loop);
        stack.addAll(callers(report));
        return stack.toArray(new StackTraceElement[0]);
    }

    private List<StackTraceElement> callers(LoopReport report) {
        if (isOfTest(report.loop)) {
            return new ArrayList<>();
        }
        for (int at = 0; at < report.callers.size(); at++) {
            if (isOfTest(report.callers.get(at))) {
                return report.callers.subList(0, at + 1);
            }
        }
        return report.callers.subList(0, Math.min(CALLS, report.callers.size()));
    }

    private boolean isOfTest(StackTraceElement frame) {
        return test != null && frame.getClassName().equals(test.getName());
    }

    /** Whether a class comes from where the test's does. */
    private boolean isTestCode(String name) {
        if (test == null) {
            return false;
        }
        if (name.equals(test.getName()) || name.startsWith(test.getName() + "$")) {
            return true;
        }
        try {
            CodeSource own = test.getProtectionDomain().getCodeSource();
            CodeSource other =
                    Class.forName(name, false, test.getClassLoader()).getProtectionDomain().getCodeSource();
            return own != null && other != null && own.getLocation() != null
                    && own.getLocation().equals(other.getLocation());
        } catch (ClassNotFoundException | LinkageError | SecurityException unknown) {
            return false;
        }
    }
}
