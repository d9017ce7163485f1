import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.maps.NonBlockingHashMap;
import org.jctools.maps.NonBlockingHashMapLong;
import org.jctools.queues.MpmcArrayQueue;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.MpscChunkedArrayQueue;
import org.jctools.queues.MpscLinkedQueue;
import org.jctools.queues.SpmcArrayQueue;
import org.jctools.queues.SpscArrayQueue;
import org.jctools.queues.SpscUnboundedArrayQueue;
import org.jctools.queues.MpmcUnboundedXaddArrayQueue;

/** Queues between threads, and maps without locks. */
public final class UsesQueues {
    private UsesQueues() {
    }

    private static final int EACH = 3000;

    private static long pass(Queue<Integer> queue, int producers) throws InterruptedException {
        AtomicLong sum = new AtomicLong();
        Thread[] threads = new Thread[producers];
        for (int producer = 0; producer < producers; producer++) {
            int from = producer * EACH;
            threads[producer] = new Thread(() -> {
                for (int i = 0; i < EACH; i++) {
                    while (!queue.offer(from + i)) {
                        Thread.yield();
                    }
                }
            });
            threads[producer].start();
        }
        for (int taken = 0; taken < producers * EACH;) {
            Integer next = queue.poll();
            if (next == null) {
                Thread.yield();
            } else {
                sum.addAndGet(next * 31L + 1);
                taken++;
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return sum.get();
    }

    public static void main(String[] args) throws InterruptedException {
        System.out.println(pass(new SpscArrayQueue<>(64), 1));
        System.out.println(pass(new SpscUnboundedArrayQueue<>(64), 1));
        System.out.println(pass(new MpscArrayQueue<>(64), 2));
        System.out.println(pass(new MpscLinkedQueue<>(), 2));
        System.out.println(pass(new MpscChunkedArrayQueue<>(16, 256), 2));
        System.out.println(pass(new SpmcArrayQueue<>(64), 1));
        System.out.println(pass(new MpmcArrayQueue<>(64), 2));
        System.out.println(pass(new MpmcUnboundedXaddArrayQueue<>(64), 2));
        NonBlockingHashMap<String, Integer> map = new NonBlockingHashMap<>();
        NonBlockingHashMapLong<String> longs = new NonBlockingHashMapLong<>();
        for (int i = 0; i < 5000; i++) {
            map.merge("key" + i % 700, i, Integer::sum);
            longs.put(i * 17L, "value" + i);
            longs.remove(i * 5L);
        }
        long sum = map.values().stream().mapToLong(Integer::longValue).sum();
        System.out.println("jctools " + sum + " " + map.size() + " " + longs.size());
    }
}
