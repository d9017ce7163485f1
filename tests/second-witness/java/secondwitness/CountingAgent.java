package secondwitness;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.security.ProtectionDomain;

/** A Java agent that counts what the methods of the application execute; its option is the file for the counts. */
public final class CountingAgent implements ClassFileTransformer {
    private CountingAgent() {}

    /** Called by the JVM before main. */
    public static void premain(String options, Instrumentation instrumentation) {
        Counts.writeAtExit(Path.of(options));
        instrumentation.addTransformer(new CountingAgent());
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        boolean ofTheJdk = loader == null || loader == ClassLoader.getPlatformClassLoader();
        if (ofTheJdk || name == null || isForeign(name)) {
            return null;
        }
        try {
            return new CountingRewriter(bytes).rewrite();
        } catch (Throwable failure) {
            // The JVM would run the class uncounted without a word, and the
            // comparison would blame the other side.
            failure.printStackTrace();
            Runtime.getRuntime().halt(3);
            throw failure;
        }
    }

    /**
     * Classes beside those of the application: the witness's own, and those of the JDK that other loaders than
     * its own define, for reflection and to read another JDK's classes.
     */
    private static boolean isForeign(String name) {
        return name.startsWith("secondwitness/")
                || name.startsWith("org/objectweb/asm/")
                || name.startsWith("jdk/internal/");
    }
}
