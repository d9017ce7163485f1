import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

/**
 * Runs a command to its end, and then a program in this JVM: the command may do something to the JVM
 * that runs already, such as have an agent loaded. The arguments are the number of those that make up
 * the command, in which {@code %p} stands for this process, the command, the main class, and its own
 * arguments.
 */
public final class AfterCommand {
    private static Throwable thrown;

    private AfterCommand() {
    }

    public static void main(String[] args) throws Throwable {
        int main = 1 + Integer.parseInt(args[0]);
        List<String> command = Arrays.asList(Arrays.copyOfRange(args, 1, main));
        command.replaceAll(argument -> argument.equals("%p") ? Long.toString(ProcessHandle.current().pid()) : argument);
        // What it says when it succeeds is not the program's.
        int status = new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start()
            .waitFor();
        if (status != 0) {
            throw new AssertionError(command + " ended with " + status);
        }
        // Frames that are active when classes get probes have no lines afterwards, so the
        // program has a stack of its own.
        String[] arguments = Arrays.copyOfRange(args, main + 1, args.length);
        Thread program = new Thread("program") {
            @Override
            public void run() {
                AfterCommand.run(args[main], arguments);
            }
        };
        program.start();
        program.join();
        if (thrown != null) {
            throw thrown;
        }
    }

    private static void run(String name, String[] arguments) {
        try {
            Method main = Class.forName(name).getMethod("main", String[].class);
            main.invoke(null, (Object) arguments);
        } catch (InvocationTargetException failure) {
            thrown = failure.getCause();
        } catch (ReflectiveOperationException failure) {
            thrown = failure;
        }
    }
}
