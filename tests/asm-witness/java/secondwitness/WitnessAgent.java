package secondwitness;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.function.UnaryOperator;

/**
 * A Java agent that rewrites the classes of the application.
 *
 * <p>Its options are {@code counts,FILE} for what methods execute, or {@code results,FILE} for what they return
 * for which input; {@code results,FILE,RULE} breaks a rule of that on purpose, see {@link Rule}.
 */
public final class WitnessAgent implements ClassFileTransformer {
    private final UnaryOperator<byte[]> rewriting;

    private WitnessAgent(UnaryOperator<byte[]> rewriting) {
        this.rewriting = rewriting;
    }

    /** Called by the JVM before main. */
    public static void premain(String options, Instrumentation instrumentation) {
        String[] parts = options.split(",");
        Path file = Path.of(parts[1]);
        if (parts[0].equals("counts")) {
            Counts.writeAtExit(file);
            instrumentation.addTransformer(new WitnessAgent(bytes -> new CountingRewriter(bytes).rewrite()));
        } else {
            if (parts.length > 2) {
                Rule.valueOf(parts[2]).isBroken = true;
            }
            Results.writeAtExit(file);
            instrumentation.addTransformer(new WitnessAgent(bytes -> new ResultsRewriter(bytes).rewrite()));
        }
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        boolean ofTheJdk = loader == null || loader == ClassLoader.getPlatformClassLoader();
        if (ofTheJdk || name == null || isForeign(name)) {
            return null;
        }
        try {
            return rewriting.apply(bytes);
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
