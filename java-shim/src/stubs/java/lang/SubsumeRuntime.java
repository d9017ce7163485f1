package java.lang;

import java.lang.reflect.Method;

/**
 * The signature of the runtime class as the API and the callbacks see it.
 *
 * <p>Those are compiled for Java 8, so they cannot be compiled against the real class, which is
 * part of {@code java.base} and of a later release. This one is never embedded.
 */
public final class SubsumeRuntime {
    private SubsumeRuntime() {
    }

    public static native boolean start();

    public static native boolean stop();

    public static native boolean dump(String path);

    public static native boolean isRecording();

    public static native long beginTest();

    public static native String[] endTest(long test);

    public static native long beginMeasuring();

    public static native String endMeasuring(long number, Method within);
}
