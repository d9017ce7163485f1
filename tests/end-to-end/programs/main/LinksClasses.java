import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import subsume.Profile;

/**
 * Threads link classes that were loaded before, while main switches recording on or off: a switch
 * meets classes in the midst of being linked. Then all of them are executed.
 *
 * <p>The classes are copies of one, each in a loader of its own.
 */
public final class LinksClasses {
    private static final int ROUNDS = 4;
    private static final int COPIES = 600;
    private static final int THREADS = 3;
    private static final int EXPECTED = 1721416064;

    public static void main(String[] args) throws Exception {
        byte[] bytes = bytesOf(Linked.class);
        for (int round = 0; round < ROUNDS; round++) {
            List<Class<?>> copies = new ArrayList<>();
            for (int i = 0; i < COPIES; i++) {
                copies.add(new Copies().define(bytes));
            }
            // The switch comes to them in an order of its own.
            Collections.shuffle(copies, new Random(round));
            AtomicInteger next = new AtomicInteger();
            Thread[] threads = new Thread[THREADS];
            for (int i = 0; i < THREADS; i++) {
                threads[i] = new Thread(() -> link(copies, next), "links");
                threads[i].start();
            }
            check(Profile.isRecording() ? Profile.stop() : Profile.start());
            for (Thread thread : threads) {
                thread.join();
            }
            for (Class<?> copy : copies) {
                Object linked = copy.getDeclaredConstructor().newInstance();
                check(linked.hashCode() == EXPECTED && linked.toString().equals("a copy"));
            }
        }
        System.out.println("linked " + ROUNDS * COPIES);
    }

    private static void link(List<Class<?>> copies, AtomicInteger next) {
        for (int i = next.getAndIncrement(); i < copies.size(); i = next.getAndIncrement()) {
            // The JVM links a class before it lists its fields.
            copies.get(i).getDeclaredFields();
        }
    }

    private static byte[] bytesOf(Class<?> of) throws IOException {
        try (InputStream in = of.getResourceAsStream(of.getName() + ".class")) {
            return in.readAllBytes();
        }
    }

    private static void check(boolean isRight) {
        if (!isRight) {
            throw new IllegalStateException();
        }
    }

    private static final class Copies extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    /** Has many instructions that linking rewrites. */
    public static final class Linked {
        private int a;
        private int b = 1;
        private int c;

        @Override
        public String toString() {
            return "a copy";
        }

        @Override
        public int hashCode() {
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            a += b; b ^= a; a += b; b ^= a; c += a; a ^= c; b += c;
            return a;
        }
    }
}
