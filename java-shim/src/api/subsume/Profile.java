package subsume;

import java.lang.reflect.Method;
import java.util.concurrent.Callable;

/**
 * Switches the recording of a profile on and off from inside the profiled program.
 *
 * <p>A program may call these methods whether or not it runs under the agent. This class, as a
 * program ships it, does nothing and answers {@code false}. A JVM that was started with
 * {@code -agentpath:libsubsume.so} replaces it, in whichever class loader it is loaded, by a class
 * with the same signature that reaches the agent.
 *
 * <p>No method throws, whatever state the agent or the JVM is in, so calls need no guard; {@link
 * #measure} throws what it is given to call throws. All
 * methods may be called from any thread and act on the recording of all threads.
 *
 * <pre>{@code
 * Profile.start();
 * server.handle(request);
 * Profile.stop();
 * Profile.dump("request.subsume");
 * }</pre>
 */
public final class Profile {
    private Profile() {
    }

    /**
     * Starts recording on every thread, also on those that already run. Methods that are active
     * when recording starts are not recorded; what they call from then on is. Starting twice is the
     * same as starting once.
     *
     * @return {@code true} if recording is on when this method returns; {@code false} if it could
     *     not be started or no agent is loaded
     */
    public static boolean start() {
        return false;
    }

    /**
     * Stops recording on every thread, also in methods that are active. What was recorded stays in
     * the profile, and a later {@link #start()} adds to it.
     *
     * @return {@code true} if recording is off when this method returns; {@code false} if it could
     *     not be stopped or no agent is loaded
     */
    public static boolean stop() {
        return false;
    }

    /**
     * Writes what was recorded until now to a file of its own. Recording goes on unaffected, and
     * the agent still writes the complete profile when the program ends.
     *
     * @param path the file to write, relative to the program's working directory; a file that
     *     exists there is replaced
     * @return {@code true} if the file was written; {@code false} if {@code path} is {@code null}
     *     or cannot be written, or no agent is loaded. The first time that it cannot be written, the
     *     agent says why in one line on standard error
     */
    public static boolean dump(String path) {
        return false;
    }

    /**
     * Tells whether recording is on.
     *
     * @return {@code true} between a start of recording and its stop; {@code false} otherwise and
     *     if no agent is loaded
     */
    public static boolean isRecording() {
        return false;
    }

    /**
     * Begins a test on the calling thread: what loops do on it from now on is judged by itself,
     * beside everything else. This is cheap, and no class is rewritten. Tests may lie within each
     * other; a loop belongs to the innermost one in which it begins.
     *
     * @return the number of the test, for {@link #endTest}; 0 if no loops are recorded
     *     ({@code mode=loops}) or no agent is loaded
     */
    public static long beginTest() {
        return 0;
    }

    /**
     * Ends a test on the thread on which it began, and tests within it that have not ended. Of what
     * other threads did meanwhile nothing is said.
     *
     * @param test what {@link #beginTest} returned
     * @return a text for each loop of the test that read similar values again, what wastes most
     *     first: lines with a key, a colon and a value, which the manual's chapter on loops lists.
     *     Empty if there is none; {@code null} if the calling thread is in no such test
     */
    public static String[] endTest(long test) {
        return null;
    }

    /**
     * Calls something, and tells what the calling thread has executed meanwhile, by method. The
     * counts are exact. Left out is what happens once, wherever the program comes by first: class
     * loading, static initialisers, and the linking of lambdas and concatenations. Measurements may
     * lie within each other, and run on several threads at once.
     *
     * @param within a method that {@code body} calls sooner or later: only what it executes counts,
     *     with all below it. With {@code null} everything counts
     * @param body what to call; it is called once, also if nothing can be measured
     * @return a line with all bytecodes, allocations and elements moved, and a line for each method,
     *     which the manual's chapter on cost tests describes. {@code null} if no calls are recorded
     *     ({@code mode=calls}) or no agent is loaded, if {@code within} was not called on this
     *     thread or is not recorded, or if contexts were lost
     * @throws Exception what {@code body} throws
     */
    public static String measure(Method within, Callable<?> body) throws Exception {
        body.call();
        return null;
    }
}
