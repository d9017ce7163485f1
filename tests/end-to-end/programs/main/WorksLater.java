import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.lang.reflect.Method;

/**
 * Runs the main methods of other classes once, waits until the file exists that it is given first,
 * runs them again, and waits for the second file. It prints what they print the second time.
 */
public final class WorksLater {
    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        run(args);
        out.println("ready");
        out.flush();
        await(args[0]);
        out.print(run(args));
        out.println("worked");
        out.flush();
        await(args[1]);
        out.println("ends");
    }

    private static void await(String file) throws InterruptedException {
        while (!new File(file).exists()) {
            Thread.sleep(5);
        }
    }

    private static String run(String[] args) throws Exception {
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true));
        for (int i = 2; i < args.length; i++) {
            Method main = Class.forName(args[i]).getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            main.invoke(null, (Object) new String[0]);
        }
        System.setOut(out);
        return printed.toString();
    }
}
