import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Holds the lock of a loader of its own until a file is there, and calls what it has loaded until another one is. */
public final class LoaderBlocks {
    /** What the loader loads. */
    public static final class Guest implements Runnable {
        static int calls;

        @Override
        public void run() {
            calls++;
        }
    }

    private static final class Locked extends ClassLoader {
        @Override
        protected synchronized Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(Guest.class.getName())) {
                return super.loadClass(name, resolve);
            }
            try (InputStream in = LoaderBlocks.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Locked loader = new Locked();
        Runnable guest = (Runnable) loader.loadClass(Guest.class.getName()).getDeclaredConstructor().newInstance();
        guest.run();
        synchronized (loader) {
            System.out.println("ready");
            await(args[0], guest);
        }
        System.out.println("released");
        await(args[1], guest);
        System.out.println("ends");
    }

    private static void await(String file, Runnable meanwhile) throws InterruptedException {
        while (!Files.exists(Path.of(file))) {
            step(meanwhile);
            Thread.sleep(5);
        }
    }

    private static void step(Runnable meanwhile) {
        meanwhile.run();
    }
}
