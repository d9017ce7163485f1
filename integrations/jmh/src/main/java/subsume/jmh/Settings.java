package subsume.jmh;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.openjdk.jmh.profile.ProfilerException;

/** The options behind the profiler's name, as {@code dir=profiles;options=include=org.*}. */
final class Settings {
    /** The command that answers questions about profiles. */
    final String command;

    /** The agent's library. */
    final String agent;

    /** Where profiles go. */
    final Path folder;

    /** More options of the agent, each behind a comma. */
    final String agentOptions;

    private Settings(String command, String agent, String folder, String agentOptions) {
        this.command = command;
        this.agent = agent;
        this.folder = Paths.get(folder);
        this.agentOptions = agentOptions;
    }

    static Settings parse(String text) throws ProfilerException {
        String command = null;
        String agent = System.getenv("SUBSUME_AGENT");
        String folder = ".";
        String agentOptions = "";
        String[] options = text.split(";");
        for (int at = 0; at < options.length; at++) {
            String option = options[at];
            int equals = option.indexOf('=');
            String value = option.substring(equals + 1);
            switch (option.substring(0, Math.max(equals, 0))) {
                case "command":
                    command = value;
                    break;
                case "agent":
                    agent = value;
                    break;
                case "dir":
                    folder = value;
                    break;
                case "options":
                    // Last, since patterns of the agent have semicolons, too.
                    agentOptions = "," + value;
                    while (++at < options.length) {
                        agentOptions += ";" + options[at];
                    }
                    break;
                default:
                    if (!option.isEmpty()) {
                        throw new ProfilerException("no option '" + option
                                + "': there are command=FILE, agent=FILE, dir=FOLDER and options=OPTIONS of the agent");
                    }
            }
        }
        command = command != null ? command : onThePath();
        agent = agent != null ? agent : besides(command);
        return new Settings(command, agent, folder, agentOptions);
    }

    private static String onThePath() throws ProfilerException {
        String path = System.getenv("PATH");
        for (String folder : (path != null ? path : "").split(File.pathSeparator)) {
            Path command = Paths.get(folder, "subsume");
            if (Files.isExecutable(command)) {
                return command.toString();
            }
        }
        throw new ProfilerException("there is no subsume on the path: say command=FILE");
    }

    /** The library that was installed with the command, which looks for it at the same places. */
    private static String besides(String command) throws ProfilerException {
        try {
            Path folder = Paths.get(command).toRealPath().getParent();
            for (String place : new String[] {"libsubsume.so", "../lib/libsubsume.so"}) {
                Path library = folder.resolve(place).normalize();
                if (Files.isRegularFile(library)) {
                    return library.toString();
                }
            }
        } catch (IOException absent) {
            throw new ProfilerException("there is no command " + command);
        }
        throw new ProfilerException("libsubsume.so is not beside " + command + ": say agent=FILE");
    }
}
