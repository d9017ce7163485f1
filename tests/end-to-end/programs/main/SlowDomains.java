import java.io.InputStream;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.concurrent.CountDownLatch;

/**
 * Protection domains of a program's own classes. The initialiser of one of them waits until a
 * class has been defined in it; another one has a field named as one of its superclass.
 */
public class SlowDomains {
    static final CountDownLatch MADE = new CountDownLatch(1);
    static final CountDownLatch DEFINED = new CountDownLatch(1);
    static volatile ProtectionDomain domain;

    static CodeSource source(String path) throws Exception {
        return new CodeSource(new URL("file", "", path), (Certificate[]) null);
    }

    static final class Slow extends ProtectionDomain {
        static {
            try {
                domain = new Slow();
                MADE.countDown();
                DEFINED.await();
            } catch (Exception e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        Slow() throws Exception {
            super(source("/slow/?password=secret"), null);
        }
    }

    static final class Shadowing extends ProtectionDomain {
        final CodeSource codesource = null;

        Shadowing() throws Exception {
            super(source("/right/"), null);
        }
    }

    public static class First {
        public static int number() {
            return 1;
        }
    }

    public static class Second {
        public static int number() {
            return 2;
        }
    }

    static final class Loader extends ClassLoader {
        int number(String name, ProtectionDomain in) throws Exception {
            byte[] bytes;
            try (InputStream file = SlowDomains.class.getResourceAsStream(name + ".class")) {
                bytes = file.readAllBytes();
            }
            Class<?> defined = defineClass(name, bytes, 0, bytes.length, in);
            return (int) defined.getMethod("number").invoke(null);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread initialises = new Thread(() -> {
            try {
                Class.forName("SlowDomains$Slow");
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        });
        initialises.start();
        MADE.await();
        Loader loader = new Loader();
        int sum = loader.number("SlowDomains$First", domain);
        DEFINED.countDown();
        initialises.join();
        sum += loader.number("SlowDomains$Second", new Shadowing());
        System.out.println(sum);
    }
}
