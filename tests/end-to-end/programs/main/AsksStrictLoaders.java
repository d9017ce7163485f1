import java.io.File;
import java.io.IOException;
import java.io.InputStream;

/**
 * Runs a class in a loader that knows nothing but that class and what it names, until the file
 * exists that it is given: who asks the loader for anything else gets no class.
 */
public final class AsksStrictLoaders {
    /** What the loader has. */
    public static final class Worker implements Runnable {
        private long sum;

        @Override
        public void run() {
            for (int i = 0; i < 1000; i++) {
                sum = add(sum, i);
            }
        }

        static long add(long sum, int i) {
            return sum * 31 + i;
        }
    }

    private static final class Strict extends ClassLoader {
        private String asked = "";

        Strict() {
            super(null);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals("java.lang.Object") || name.equals("java.lang.Runnable")) {
                return Object.class.getClassLoader() == null && name.endsWith("Object") ? Object.class : Runnable.class;
            }
            if (!name.equals(Worker.class.getName())) {
                asked = name;
                throw new ClassNotFoundException(name);
            }
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            String file = name.replace('.', '/') + ".class";
            try (InputStream in = AsksStrictLoaders.class.getClassLoader().getResourceAsStream(file)) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        File end = new File(args[0]);
        Runnable early = worker();
        early.run();
        System.out.println("ready");
        System.out.flush();
        long rounds = 0;
        while (!end.exists()) {
            early.run();
            worker().run();
            rounds++;
            Thread.sleep(1);
        }
        System.out.println(rounds > 0 ? "worked" : "did nothing");
    }

    private static Runnable worker() throws Exception {
        Class<?> worker = new Strict().loadClass(Worker.class.getName());
        return (Runnable) worker.getDeclaredConstructor().newInstance();
    }
}
