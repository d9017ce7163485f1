package subsume.maven;

import java.util.Properties;

/** The argument that {@code subsume:record} puts in front of a property of the module. */
final class AgentArgument {
    /** Properties of the module that hold the argument; a copy of the module has them, too. */
    private static final String REMEMBERED = "subsume.recording.";

    private AgentArgument() {}

    /** Puts it there, in place of an earlier one; returns all of the property. */
    static String put(String option, String name, Properties properties) {
        String argument = quoted(option);
        remove(name, properties);
        String line = (argument + " " + properties.getProperty(name, "").strip()).strip();
        properties.setProperty(name, line);
        properties.setProperty(REMEMBERED + name, argument);
        return line;
    }

    /** Removes it from all properties. */
    static void removeAll(Properties properties) {
        for (String remembered : properties.stringPropertyNames()) {
            if (remembered.startsWith(REMEMBERED)) {
                remove(remembered.substring(REMEMBERED.length()), properties);
            }
        }
    }

    /** An argument on a line of several. */
    static String quoted(String argument) {
        return argument.chars().anyMatch(c -> Character.isWhitespace(c) || c == ';' || c == '*')
                ? '"' + argument + '"'
                : argument;
    }

    private static void remove(String name, Properties properties) {
        Object argument = properties.remove(REMEMBERED + name);
        if (argument != null) {
            // Another plugin may have put something in front of it.
            String line = properties.getProperty(name, "").replace(argument.toString(), "");
            properties.setProperty(name, line.strip());
        }
    }
}
