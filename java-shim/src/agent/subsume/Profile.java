package subsume;

import java.lang.reflect.Method;
import java.util.concurrent.Callable;

/**
 * The version of {@code subsume.Profile} that the agent puts in the place of the shipped one.
 *
 * <p>Its public signature is that of the shipped class, so that code compiled against either links
 * with both. It reaches the runtime class by its name in {@code java.lang}, the one package that
 * every class loader must take from the boot loader. A loader that breaks that rule gets a linkage
 * error, which is caught here because the API never throws.
 */
public final class Profile {
    private Profile() {
    }

    /** Starts recording on every thread. */
    public static boolean start() {
        try {
            return SubsumeRuntime.start();
        } catch (LinkageError unreachable) {
            return false;
        }
    }

    /** Stops recording on every thread. */
    public static boolean stop() {
        try {
            return SubsumeRuntime.stop();
        } catch (LinkageError unreachable) {
            return false;
        }
    }

    /** Writes what was recorded until now to {@code path}. */
    public static boolean dump(String path) {
        try {
            return path != null && SubsumeRuntime.dump(path);
        } catch (LinkageError unreachable) {
            return false;
        }
    }

    /** Tells whether recording is on. */
    public static boolean isRecording() {
        try {
            return SubsumeRuntime.isRecording();
        } catch (LinkageError unreachable) {
            return false;
        }
    }

    /** Begins a test on the calling thread. */
    public static long beginTest() {
        try {
            return SubsumeRuntime.beginTest();
        } catch (LinkageError unreachable) {
            return 0;
        }
    }

    /** Ends it and tells of its loops that read similar values again. */
    public static String[] endTest(long test) {
        try {
            return test == 0 ? null : SubsumeRuntime.endTest(test);
        } catch (LinkageError unreachable) {
            return null;
        }
    }

    /** Calls something and tells what that has executed. */
    public static String measure(Method within, Callable<?> body) throws Exception {
        long number = beginMeasuring();
        try {
            body.call();
        } catch (Throwable thrown) {
            endMeasuring(number, null);
            throw thrown;
        }
        return endMeasuring(number, within);
    }

    private static long beginMeasuring() {
        try {
            return SubsumeRuntime.beginMeasuring();
        } catch (LinkageError unreachable) {
            return 0;
        }
    }

    private static String endMeasuring(long number, Method within) {
        try {
            return number == 0 ? null : SubsumeRuntime.endMeasuring(number, within);
        } catch (LinkageError unreachable) {
            return null;
        }
    }
}
