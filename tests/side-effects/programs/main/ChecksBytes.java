import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.SecureClassLoader;
import java.util.HexFormat;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Loads a class from a signed jar, and by a class loader that checks a digest of the bytes, and
 * looks at the bytes of classes that are loaded already. Arguments: the jar, the class in it.
 */
public final class ChecksBytes {
    private ChecksBytes() {
    }

    /** Refuses a class whose bytes are not those of the file. */
    private static final class Checking extends SecureClassLoader {
        private final String expected;

        Checking(String expected) {
            super(null);
            this.expected = expected;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try {
                byte[] bytes = bytes(ChecksBytes.class.getResource(name + ".class"));
                if (!digest(bytes).equals(expected)) {
                    throw new ClassNotFoundException(name + " was changed");
                }
                return defineClass(name, bytes, 0, bytes.length, (CodeSource) null);
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        try (JarFile jar = new JarFile(args[0], true)) {
            JarEntry entry = jar.getJarEntry(args[1] + ".class");
            byte[] bytes = jar.getInputStream(entry).readAllBytes();
            System.out.println(bytes.length + " bytes signed by " + entry.getCodeSigners().length);
        }
        URL[] jar = {new java.io.File(args[0]).toURI().toURL()};
        try (URLClassLoader loader = new URLClassLoader(jar, null)) {
            Class<?> signed = loader.loadClass(args[1]);
            System.out.println(signed.getDeclaredConstructor().newInstance() + " signers " + signed.getSigners().length
                + " certificates " + signed.getProtectionDomain().getCodeSource().getCertificates().length);
        }
        byte[] bytes = bytes(ChecksBytes.class.getResource(args[1] + ".class"));
        Class<?> checked = new Checking(digest(bytes)).loadClass(args[1]);
        System.out.println(checked.getDeclaredConstructor().newInstance());
        for (Class<?> loaded : new Class<?>[] {ChecksBytes.class, String.class, Object.class, Thread.class}) {
            URL resource = loaded.getResource("/" + loaded.getName().replace('.', '/') + ".class");
            System.out.println(loaded + " " + digest(bytes(resource)));
        }
    }

    private static byte[] bytes(URL resource) throws IOException {
        try (InputStream stream = resource.openStream()) {
            return stream.readAllBytes();
        }
    }

    private static String digest(byte[] bytes) throws ClassNotFoundException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (java.security.NoSuchAlgorithmException impossible) {
            throw new ClassNotFoundException("SHA-256", impossible);
        }
    }
}
