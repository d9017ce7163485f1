import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many loaders, from each of which four threads load a class at the same moment, when a file is there. */
public final class ParallelLoaders {
    public static class First {
        public static int twice(int value) {
            return value * 2;
        }
    }

    public static class Second {
        public static int twice(int value) {
            return value * 2;
        }
    }

    public static class Third {
        public static int twice(int value) {
            return value * 2;
        }
    }

    public static class Fourth {
        public static int twice(int value) {
            return value * 2;
        }
    }

    private static final Class<?>[] GUESTS = {First.class, Second.class, Third.class, Fourth.class};

    private static final class Parallel extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("ParallelLoaders$")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                try (InputStream in = ParallelLoaders.class.getResourceAsStream(name + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        await(args[0]);
        ExecutorService threads = Executors.newFixedThreadPool(GUESTS.length);
        for (int i = 0; i < Integer.parseInt(args[2]); i++) {
            ClassLoader loader = new Parallel();
            CyclicBarrier together = new CyclicBarrier(GUESTS.length);
            Future<?>[] loaded = new Future<?>[GUESTS.length];
            for (int j = 0; j < loaded.length; j++) {
                String name = GUESTS[j].getName();
                loaded[j] = threads.submit(() -> {
                    together.await();
                    return Class.forName(name, true, loader).getMethod("twice", int.class).invoke(null, 1);
                });
            }
            for (Future<?> each : loaded) {
                each.get();
            }
        }
        threads.shutdown();
        System.out.println("worked");
        await(args[1]);
    }

    private static void await(String file) throws InterruptedException {
        while (!Files.exists(Path.of(file))) {
            Thread.sleep(5);
        }
    }
}
