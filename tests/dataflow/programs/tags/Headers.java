import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** Whatever else happens in the headers of objects: their tags and hashes stay. */
public final class Headers {
    static final class Counter {
        int count;

        synchronized int next() {
            return ++count;
        }

        synchronized int tagInside() {
            return Tags.of(this);
        }
    }

    private static final int OBJECTS = 60_000;
    private static int wrong;

    private Headers() {
    }

    public static void main(String[] args) throws Exception {
        List<Object> objects = new ArrayList<>();
        for (int i = 0; i < OBJECTS; i++) {
            objects.add(new Counter());
        }
        int tag = Tags.of(objects.get(0));
        int[] hashes = new int[OBJECTS];
        for (int i = 0; i < OBJECTS; i += 2) {
            hashes[i] = System.identityHashCode(objects.get(i));
        }
        // What is locked, then inflated, then both at once.
        for (int i = 0; i < OBJECTS; i += 3) {
            Counter counter = (Counter) objects.get(i);
            expect(tag, counter.tagInside(), "locked");
            synchronized (counter) {
                expect(tag, counter.tagInside(), "locked twice");
            }
        }
        lockedByAnother((Counter) objects.get(1), tag);
        for (int i = 0; i < 300; i++) {
            Object waited = objects.get(i * 7);
            synchronized (waited) {
                waited.wait(1);
                expect(tag, Tags.of(waited), "waited for");
            }
        }
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 20_000; i++) {
                    Counter counter = (Counter) objects.get(i % 50);
                    counter.next();
                    expect(tag, Tags.of(counter), "contended");
                }
            });
            threads[t].start();
        }
        for (int i = 0; i < 5; i++) {
            System.gc();
            byte[][] garbage = new byte[200][];
            for (int j = 0; j < 20_000; j++) {
                garbage[j % 200] = new byte[j % 4000];
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.gc();
        Set<Integer> different = new HashSet<>();
        IdentityHashMap<Object, Integer> places = new IdentityHashMap<>();
        for (int i = 0; i < OBJECTS; i++) {
            Object object = objects.get(i);
            expect(tag, Tags.of(object), "kept");
            int hash = System.identityHashCode(object);
            if (i % 2 == 0 && hash != hashes[i]) {
                wrong++;
            }
            expect(hash, object.hashCode(), "hash");
            different.add(hash);
            places.put(object, i);
        }
        for (int i = 0; i < OBJECTS; i++) {
            expect(i, places.get(objects.get(i)), "place");
        }
        notSeenBeingMade();
        inVirtualThread(Headers::notSeenBeingMade);
        System.out.println(wrong + " wrong");
        System.out.println(different.size() > OBJECTS * 9 / 10 ? "hashes differ" : different.size() + " hashes");
    }

    /** Objects that nobody saw being made, hashed and locked before they are asked. */
    private static void notSeenBeingMade() {
        for (int i = 0; i < 100; i++) {
            Object array = java.lang.reflect.Array.newInstance(short.class, i);
            int hash = i % 2 == 0 ? System.identityHashCode(array) : 0;
            int untracked;
            synchronized (array) {
                untracked = Tags.of(array);
            }
            expect(untracked, Tags.of(array), "untracked");
            expect(i % 2 == 0 ? hash : System.identityHashCode(array), System.identityHashCode(array), "its hash");
            expect(tagOfShorts(), untracked, "of its class");
        }
    }

    /** Runs this in a virtual thread, if there are such threads. */
    private static void inVirtualThread(Runnable task) throws Exception {
        Method start;
        try {
            start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            return;
        }
        ((Thread) start.invoke(null, task)).join();
    }

    /** Asks while another thread has the lock, which nobody else waits for. */
    private static void lockedByAnother(Counter counter, int tag) throws InterruptedException {
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            synchronized (counter) {
                locked.countDown();
                try {
                    asked.await();
                } catch (InterruptedException e) {
                    wrong++;
                }
                expect(tag, Tags.of(counter), "locked by this thread");
            }
        });
        other.start();
        locked.await();
        expect(tag, Tags.of(counter), "locked by another thread");
        asked.countDown();
        other.join();
    }

    private static int tagOfShorts() {
        return Tags.of(java.lang.reflect.Array.newInstance(short.class, 1));
    }

    private static synchronized void expect(int expected, int found, String what) {
        // Without the agent all tags are 0.
        if (expected != found && wrong++ < 10) {
            System.out.println(what + ": " + found + " instead of " + expected);
        }
    }
}
