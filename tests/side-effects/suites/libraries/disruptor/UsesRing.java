import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import java.util.concurrent.Executors;

/** Events that pass through two handlers, from one producer and from two. */
public final class UsesRing {
    private UsesRing() {
    }

    static class Event {
        int number;
        long doubled;
        boolean seen;
        char letter;
    }

    private static long run(ProducerType type, int producers) throws Exception {
        long[] sum = new long[2];
        Disruptor<Event> disruptor = new Disruptor<>(Event::new, 256, Executors.defaultThreadFactory(), type,
            producers == 1 ? new BlockingWaitStrategy() : new YieldingWaitStrategy());
        disruptor.handleEventsWith((event, sequence, end) -> {
            event.doubled = event.number * 2L;
            event.seen = true;
            event.letter = (char) ('a' + event.number % 26);
        }).then((event, sequence, end) -> {
            sum[0] += event.doubled + (event.seen ? 1 : 0) + event.letter;
            sum[1]++;
        });
        disruptor.start();
        Thread[] threads = new Thread[producers];
        for (int producer = 0; producer < producers; producer++) {
            threads[producer] = new Thread(() -> {
                for (int i = 0; i < 5000; i++) {
                    disruptor.getRingBuffer().publishEvent((event, sequence, number) -> event.number = number, i);
                }
            });
            threads[producer].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        disruptor.shutdown();
        return sum[0] * 31 + sum[1];
    }

    public static void main(String[] args) throws Exception {
        System.out.println(run(ProducerType.SINGLE, 1));
        System.out.println("disruptor " + run(ProducerType.MULTI, 2));
    }
}
