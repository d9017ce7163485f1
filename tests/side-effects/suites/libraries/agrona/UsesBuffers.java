import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Object2IntHashMap;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/** Buffers over arrays and memory, ring buffers between threads, maps of numbers. */
public final class UsesBuffers {
    private UsesBuffers() {
    }

    private static long ring(RingBuffer ring, int producers) throws InterruptedException {
        Thread[] threads = new Thread[producers];
        for (int producer = 0; producer < producers; producer++) {
            int from = producer * 1000;
            threads[producer] = new Thread(() -> {
                UnsafeBuffer message = new UnsafeBuffer(new byte[32]);
                for (int i = 0; i < 2000; i++) {
                    message.putInt(0, from + i);
                    message.putLong(8, i * 3L, ByteOrder.BIG_ENDIAN);
                    while (!ring.write(1 + i % 3, message, 0, 16 + i % 16)) {
                        Thread.yield();
                    }
                }
            });
            threads[producer].start();
        }
        long[] sum = new long[2];
        while (sum[1] < producers * 2000L) {
            int read = ring.read((type, buffer, index, length) -> {
                sum[0] += type * 7L + buffer.getInt(index) + buffer.getLong(index + 8, ByteOrder.BIG_ENDIAN) + length;
                sum[1]++;
            });
            if (read == 0) {
                Thread.yield();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return sum[0];
    }

    public static void main(String[] args) throws InterruptedException {
        int size = 1024 + RingBufferDescriptor.TRAILER_LENGTH;
        System.out.println(ring(new OneToOneRingBuffer(new UnsafeBuffer(ByteBuffer.allocateDirect(size))), 1));
        System.out.println(ring(new ManyToOneRingBuffer(new UnsafeBuffer(ByteBuffer.allocateDirect(size))), 2));
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[128]);
        ExpandableArrayBuffer grows = new ExpandableArrayBuffer();
        long sum = 0;
        for (int i = 0; i < 5000; i++) {
            buffer.putChar(2, (char) i);
            buffer.putShort(4, (short) i);
            buffer.putByte(6, (byte) i);
            buffer.putFloat(8, i / 3f);
            buffer.putDouble(16, i / 7d);
            sum += buffer.getAndAddInt(24, i) + buffer.getAndSetLong(32, i);
            buffer.compareAndSetInt(40, i - 1, i);
            int length = buffer.putStringAscii(48, "text" + i % 100);
            sum = sum * 31 + buffer.getChar(2) + buffer.getShort(4) + buffer.getByte(6) + (long) buffer.getFloat(8)
                + (long) buffer.getDouble(16) + buffer.getStringAscii(48).hashCode() + length;
            grows.putLong(i % 1000 * 8, sum);
        }
        System.out.println(sum + " " + grows.capacity() + " " + grows.getLong(800));
        Int2ObjectHashMap<String> objects = new Int2ObjectHashMap<>();
        Long2LongHashMap longs = new Long2LongHashMap(-1);
        Object2IntHashMap<String> counts = new Object2IntHashMap<>(-1);
        ManyToOneConcurrentArrayQueue<Integer> queue = new ManyToOneConcurrentArrayQueue<>(64);
        for (int i = 0; i < 5000; i++) {
            objects.put(i * 13, "o" + i);
            longs.put(i, i * 2L);
            counts.put("k" + i % 50, counts.getOrDefault("k" + i % 50, 1) + i);
            queue.offer(i);
            sum += queue.poll();
        }
        System.out.println("agrona " + sum + " " + objects.get(130) + " " + longs.get(77) + " " + counts.getValue("k7"));
    }
}
