import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;

/** Runs a class in a loader that counts what it is asked for and refuses names it does not expect. */
public final class LoadsStrictly {
    /** The class that the strict loader defines. */
    public static final class Guest implements Runnable {
        @Override
        public void run() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 5; i++) {
                text.append(twice(i)).append(' ');
            }
            try {
                twice(-1);
            } catch (IllegalArgumentException e) {
                text.append(e.getMessage());
            }
            System.out.println(text + " by " + getClass().getClassLoader().getClass().getSimpleName());
        }

        private static int twice(int value) {
            if (value < 0) {
                throw new IllegalArgumentException("negative");
            }
            return value * 2;
        }
    }

    /** Knows its guest and delegates a fixed list of names; any other is an error. */
    private static final class Strict extends ClassLoader {
        private final Map<String, Integer> asked = new TreeMap<>();

        Strict() {
            super(null);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            asked.merge(name, 1, Integer::sum);
            if (name.equals(Guest.class.getName())) {
                return define(name);
            }
            if (name.startsWith("java.") && !name.contains("ubsume")) {
                return Class.forName(name, false, null);
            }
            throw new NoClassDefFoundError("unexpected " + name);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = LoadsStrictly.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) {
            Strict loader = new Strict();
            Runnable guest = (Runnable) loader.loadClass(Guest.class.getName()).getDeclaredConstructor().newInstance();
            guest.run();
            System.out.println(loader.asked);
        }
    }
}
