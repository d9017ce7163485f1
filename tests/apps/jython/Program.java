package apps.jython;

import apps.App;
import apps.Digest;
import apps.Size;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.python.util.PythonInterpreter;

/** Jython compiles and runs the bundled Python program; the digest covers what it prints. */
public final class Program implements App {
    @Override
    public String name() {
        return "jython";
    }

    @Override
    public void prepare(Size size) {
        Properties settings = new Properties();
        // The site module asks for the operating system through native code,
        // of which newer JDKs warn on standard error.
        settings.setProperty("python.import.site", "false");
        settings.setProperty("python.cachedir.skip", "true");
        settings.setProperty("python.console.encoding", "UTF-8");
        PythonInterpreter.initialize(System.getProperties(), settings, new String[0]);
    }

    @Override
    public String iterate(Size size) throws IOException {
        Digest digest = new Digest();
        try (PythonInterpreter python = new PythonInterpreter();
                InputStream program = Program.class.getResourceAsStream("/program.py")) {
            python.setOut(digest);
            python.set("ROUNDS", size.of(1, 6));
            python.execfile(program, "program.py");
        }
        return digest.text();
    }
}
