package subsume.maven;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Options for a JVM, as the variable {@code JAVA_TOOL_OPTIONS} holds them. */
final class JvmOptions {
    /** The extension of JUnit would fail tests for their loops, and those do less. */
    private static final String JUDGE_NOTHING = "-Dsubsume.loops.fail=nothing";

    private final List<String> options = new ArrayList<>();

    /** The JVM cuts the variable at white space, except within quotes. */
    JvmOptions(String variable) {
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
    }

    /** The agent's mode; {@code otherwise} if the agent is not among them. */
    String mode(String otherwise) {
        return options.stream()
                .filter(option -> option.startsWith("-agentpath:") && option.contains(",mode="))
                .map(option -> option.replaceFirst(".*?,mode=([^,]*).*", "$1"))
                .findFirst()
                .orElse(otherwise);
    }

    /** As a file that {@code java @FILE} reads, in which a # without quotes begins a comment. */
    String forFile() {
        return Stream.concat(options.stream(), Stream.of(JUDGE_NOTHING))
                .map(option -> '"' + option.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n")
                .collect(Collectors.joining());
    }
}
