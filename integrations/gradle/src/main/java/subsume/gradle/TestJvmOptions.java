package subsume.gradle;

import java.util.ArrayList;
import java.util.List;
import org.gradle.process.CommandLineArgumentProvider;

/** Gives the JVM of the tests the options of {@code subsume diagnose}. */
final class TestJvmOptions implements CommandLineArgumentProvider {
    /** The extension of JUnit would fail tests for their loops, and tests that fail do less. */
    private static final String JUDGE_NOTHING = "-Dsubsume.loops.fail=nothing";

    private final String variable;

    /** With the options as the variable {@code JAVA_TOOL_OPTIONS} holds them. */
    TestJvmOptions(String variable) {
        this.variable = variable;
    }

    @Override
    public Iterable<String> asArguments() {
        List<String> options = split(variable);
        options.add(JUDGE_NOTHING);
        return options;
    }

    /** The JVM cuts the variable at white space, except within quotes. */
    private static List<String> split(String variable) {
        List<String> options = new ArrayList<>();
        StringBuilder option = new StringBuilder();
        char quote = 0;
        for (char c : (variable + " ").toCharArray()) {
            if (quote == 0 && Character.isWhitespace(c)) {
                if (!option.isEmpty()) {
                    options.add(option.toString());
                }
                option.setLength(0);
            } else if (c == quote) {
                quote = 0;
            } else if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else {
                option.append(c);
            }
        }
        return options;
    }
}
