package jp2;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * JP2 taken literally, as a Java agent: every thread has a calling context
 * tree, whose nodes are found in hash tables by method and call site and count
 * calls and, basic block by basic block, executed bytecodes (Sarimbekov, Sewe,
 * Binder, Moret, Schoeberl, Mezini: <i>Portable and Accurate Collection of
 * Calling-Context-Sensitive Bytecode Metrics for the Java Virtual Machine</i>,
 * PPPJ 2011).
 *
 * <p>{@code premain} instruments what is loaded, the JDK too, and then what is
 * being loaded. Its option is the file that gets the sums at exit.
 */
public final class Agent implements ClassFileTransformer {
    private final AtomicInteger methods = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    private Agent() {}

    /** Called by the JVM before main. */
    public static void premain(String file, Instrumentation instrumentation) {
        Agent agent = new Agent();
        // Loaded and warm before the methods that it calls have probes.
        Context.current().enter(0);
        instrumentation.addTransformer(agent, true);
        agent.instrumentLoaded(instrumentation);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> agent.write(Path.of(file))));
    }

    private void instrumentLoaded(Instrumentation instrumentation) {
        List<Class<?>> loaded = new ArrayList<>();
        for (Class<?> candidate : instrumentation.getAllLoadedClasses()) {
            if (instrumentation.isModifiableClass(candidate) && !isForeign(candidate.getName().replace('.', '/'))) {
                loaded.add(candidate);
            }
        }
        try {
            // At once: each retransformation has the JVM throw away compiled code.
            instrumentation.retransformClasses(loaded.toArray(new Class<?>[0]));
        } catch (UnmodifiableClassException | LinkageError | InternalError e) {
            System.err.println("jp2: what is loaded was not instrumented: " + e);
        }
    }

    private void write(Path file) {
        long[] sums = Context.sums();
        try {
            Files.writeString(file, "methods " + methods + "\nrefused " + refused + "\ncontexts " + sums[0] + "\ncalls "
                    + sums[1] + "\nbytecodes " + sums[2] + "\n");
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (name == null || isForeign(name)) {
            return null;
        }
        // What rewriting executes counts for no context of the program.
        Context context = Context.current();
        int site = context.site;
        Node interrupted = context.interrupt();
        try {
            Rewriter rewriter = new Rewriter(bytes, methods.get());
            byte[] rewritten = rewriter.rewrite();
            methods.addAndGet(rewriter.methods());
            return rewritten;
        } catch (RuntimeException | Error e) {
            // Methods that get too large, which the JVM would not tell anybody.
            refused.incrementAndGet();
            return null;
        } finally {
            context.node = interrupted;
            context.site = site;
        }
    }

    /** What the probes call, and the agent itself. */
    private static boolean isForeign(String name) {
        return name.equals("java/lang/Object")
                || name.equals("java/lang/Thread")
                || name.startsWith("jp2/")
                || name.startsWith("org/objectweb/asm/");
    }
}
