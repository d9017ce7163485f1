import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.WeakHashMap;
import java.util.concurrent.CountDownLatch;

/** Cleaners, called by hand and by the collector, and the kinds of references. */
public class Cleaners {
    static final Cleaner CLEANER = Cleaner.create();
    static final CountDownLatch DONE = new CountDownLatch(4);
    static int cleaned;

    static class State implements Runnable {
        final int weight;

        State(int weight) {
            this.weight = weight;
        }

        @Override
        public void run() {
            for (int i = 0; i < weight; i++) {
                cleaned++;
            }
            DONE.countDown();
        }
    }

    static class Resource implements AutoCloseable {
        private final Cleaner.Cleanable cleanable;

        Resource(int weight) {
            cleanable = CLEANER.register(this, new State(weight));
        }

        @Override
        public void close() {
            cleanable.clean();
        }
    }

    static void leave(int count) {
        for (int i = 0; i < count; i++) {
            new Resource(3);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        try (Resource resource = new Resource(10)) {
            System.out.println(resource != null);
        }
        System.out.println(cleaned);
        leave(3);
        Collects.untilCleaned(CLEANER, DONE);
        System.out.println(cleaned);
        String held = new String("held");
        WeakReference<String> weak = new WeakReference<>(held);
        SoftReference<String> soft = new SoftReference<>(held);
        ReferenceQueue<String> queue = new ReferenceQueue<>();
        PhantomReference<String> phantom = new PhantomReference<>(held, queue);
        WeakHashMap<String, Integer> map = new WeakHashMap<>();
        map.put(held, 5);
        System.out.println(weak.get() + soft.get() + phantom.get() + weak.refersTo(held) + map.get("held") + queue.poll());
        weak.clear();
        System.out.println(weak.get() + phantom.enqueue() + (queue.poll() == phantom));
    }
}
