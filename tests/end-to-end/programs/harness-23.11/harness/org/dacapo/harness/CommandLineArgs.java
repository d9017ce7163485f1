package org.dacapo.harness;

/** Options {@code -c CALLBACK} and {@code -n ITERATIONS}; creates the callback. */
public class CommandLineArgs {
    private Callback callback;
    private int iterations = 1;

    public CommandLineArgs(String[] args) throws Exception {
        String name = null;
        for (int i = 0; i + 1 < args.length; i += 2) {
            if (args[i].equals("-c")) {
                name = args[i + 1];
            } else if (args[i].equals("-n")) {
                iterations = Integer.parseInt(args[i + 1]);
            }
        }
        callback = name == null
            ? new Callback(this)
            : (Callback) Class.forName(name).getConstructor(CommandLineArgs.class).newInstance(this);
    }

    public Callback getCallback() {
        return callback;
    }

    public int getIterations() {
        return iterations;
    }
}
