import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import subsume.Profile;

/**
 * Threads with deep stacks do what main tells them, while main switches recording on and off.
 *
 * <p>Stacks grow and shrink while recording is on and while it is off, so that frames of all ages
 * lie below each other: plain ones, those with probes, and those with probes of an earlier recording.
 */
public final class Switches {
    private static final int THREADS = 4;

    private enum Task { WORK, DEEPER_50, DEEPER_30, UP, SPIN, PREPARE, THROUGH_LAMBDA }

    private static final ThreadLocal<LinkedBlockingQueue<Task>> QUEUE = new ThreadLocal<>();
    private static volatile CountDownLatch done;
    private static volatile Runnable prepared;
    static volatile long total;

    private final List<LinkedBlockingQueue<Task>> queues = new ArrayList<>();

    public static void main(String[] args) throws Throwable {
        List<String> asked = List.of(args);
        if (asked.contains("classes")) {
            loadClasses();
        }
        Switches switches = new Switches();
        for (int i = 0; i < THREADS; i++) {
            LinkedBlockingQueue<Task> queue = new LinkedBlockingQueue<>();
            switches.queues.add(queue);
            start(asked.contains("virtual"), () -> {
                QUEUE.set(queue);
                serve();
            });
        }
        // Off: frames without probes.
        switches.all(Task.DEEPER_50, Task.WORK);
        check(Profile.start());
        // The frames that are active are no contexts, so this begins at the root.
        switches.all(Task.PREPARE, Task.WORK);
        switches.all(Task.DEEPER_50, Task.WORK);
        check(Profile.stop());
        // Frames with probes go on, and nothing of it is recorded.
        switches.all(Task.WORK, Task.SPIN, Task.DEEPER_30, Task.WORK);
        check(Profile.start());
        // The frames entered by the first recording are contexts again.
        switches.all(Task.WORK, Task.UP, Task.WORK, Task.UP, Task.WORK);
        check(Profile.stop());
        check(Profile.stop());
        // A frame of a class that keeps its probes while recording is off.
        switches.all(Task.THROUGH_LAMBDA, Task.WORK);
        check(Profile.start());
        check(Profile.start());
        switches.all(Task.WORK, Task.UP, Task.WORK);
        check(Profile.stop());
        switches.all(Task.WORK, Task.UP, Task.UP);
        System.out.println("total " + total);
    }

    /** Loads all classes of a module, as many as a server has. */
    private static void loadClasses() throws IOException {
        Path module = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base");
        List<String> files;
        try (Stream<Path> paths = Files.walk(module)) {
            files = paths.map(path -> module.relativize(path).toString()).collect(Collectors.toList());
        }
        for (String file : files) {
            if (file.endsWith(".class") && !file.equals("module-info.class")) {
                String name = file.substring(0, file.length() - ".class".length());
                try {
                    Class.forName(name.replace('/', '.'), false, null);
                } catch (ClassNotFoundException | LinkageError e) {
                    // Some need what the image lacks.
                    total++;
                }
            }
        }
        total = 0;
    }

    private static void start(boolean virtual, Runnable body) throws Throwable {
        if (virtual) {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            start.invoke(null, body);
        } else {
            new Thread(body, "deep").start();
        }
    }

    private static void check(boolean done) {
        if (!done) {
            throw new IllegalStateException("the agent refuses");
        }
    }

    private void all(Task... tasks) throws InterruptedException {
        for (Task task : tasks) {
            done = new CountDownLatch(THREADS);
            for (LinkedBlockingQueue<Task> queue : queues) {
                queue.add(task);
            }
            done.await();
        }
    }

    private static Task next() {
        try {
            return QUEUE.get().take();
        } catch (InterruptedException e) {
            return Task.UP;
        }
    }

    /** Does one task after the other until it is told to return. */
    private static void serve() {
        while (true) {
            switch (next()) {
                case WORK:
                    for (int i = 0; i < 10; i++) {
                        work();
                    }
                    break;
                case DEEPER_50:
                    done.countDown();
                    deeper(49);
                    continue;
                case DEEPER_30:
                    done.countDown();
                    deeper(29);
                    continue;
                case SPIN:
                    long sum = 0;
                    for (int i = 0; i < 5_000_000; i++) {
                        sum += i ^ sum << 1;
                    }
                    add(sum & 1);
                    break;
                case PREPARE:
                    prepare().run();
                    break;
                case THROUGH_LAMBDA:
                    done.countDown();
                    prepared.run();
                    continue;
                default:
                    done.countDown();
                    return;
            }
            done.countDown();
        }
    }

    private static Runnable prepare() {
        prepared = null;
        Runnable through = Switches::serveAgain;
        prepared = through;
        return () -> { };
    }

    private static void serveAgain() {
        serve();
    }

    private static void deeper(int frames) {
        if (frames > 0) {
            deeper(frames - 1);
        } else {
            serve();
        }
    }

    private static void work() {
        inner();
    }

    private static void inner() {
        add(1);
    }

    private static synchronized void add(long amount) {
        total += amount;
    }
}
