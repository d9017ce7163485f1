import java.io.IOException;
import java.io.InputStream;

/** Class loaders that define classes themselves, the same class in several, and a stubborn one that delegates nothing. */
public class Loaders {
    public static class Loaded implements Runnable {
        static int instances;
        final int number = ++instances;

        @Override
        public void run() {
            int sum = 0;
            for (int i = 0; i < number * 10; i++) {
                sum += helper(i);
            }
            System.out.println(sum + " " + instances);
        }

        static int helper(int i) {
            return Helper.twice(i);
        }
    }

    static class Helper {
        static int twice(int i) {
            return 2 * i;
        }
    }

    static class Own extends ClassLoader {
        int loaded;

        Own(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("Loaders$")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known != null ? known : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = Loaders.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                loaded++;
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        new Loaded().run();
        for (int i = 0; i < 3; i++) {
            Own loader = new Own(Loaders.class.getClassLoader());
            Class<?> type = loader.loadClass("Loaders$Loaded");
            for (int j = 0; j < 2; j++) {
                ((Runnable) type.getConstructor().newInstance()).run();
            }
            System.out.println(loader.loaded + " " + (type == Loaded.class) + (type.getClassLoader() == loader));
        }
        try {
            new Own(null).loadClass("Absent");
        } catch (ClassNotFoundException e) {
            System.out.println(e.getMessage());
        }
        Thread.currentThread().setContextClassLoader(new Own(null));
        System.out.println(Thread.currentThread().getContextClassLoader().getResource("Loaders.class") == null);
    }
}
