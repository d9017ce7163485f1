import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.LongAdder;

/** Var handles on fields, statics and array elements, and the atomics beside them. */
public class Variables {
    volatile int plain;
    static long shared;
    volatile int updated;

    public static void main(String[] args) throws Exception {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        VarHandle plain = lookup.findVarHandle(Variables.class, "plain", int.class);
        VarHandle shared = lookup.findStaticVarHandle(Variables.class, "shared", long.class);
        VarHandle elements = MethodHandles.arrayElementVarHandle(String[].class);
        VarHandle bytes = MethodHandles.byteArrayViewVarHandle(int[].class, java.nio.ByteOrder.BIG_ENDIAN);
        Variables object = new Variables();
        String[] array = {"a", "b"};
        byte[] raw = new byte[8];
        for (int i = 0; i < 5; i++) {
            plain.setVolatile(object, i);
            boolean swapped = plain.compareAndSet(object, i, i * 2);
            int before = (int) plain.getAndAdd(object, 3);
            shared.set((long) before);
            long old = (long) shared.getAndBitwiseOr(16L);
            elements.setRelease(array, 0, "x" + old);
            bytes.set(raw, 4, before);
            System.out.print(swapped + " " + before + " " + (String) elements.getAcquire(array, 0) + raw[7] + " "
                    + (int) plain.getOpaque(object) + ";");
        }
        try {
            elements.set(array, 2, "out");
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        AtomicInteger atomic = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            atomic.incrementAndGet();
            atomic.updateAndGet(x -> x * 2 % 1000);
            atomic.accumulateAndGet(i, Math::max);
        }
        AtomicIntegerFieldUpdater<Variables> updater =
                AtomicIntegerFieldUpdater.newUpdater(Variables.class, "updated");
        updater.addAndGet(object, 12);
        LongAdder adder = new LongAdder();
        adder.add(5);
        adder.increment();
        System.out.println(atomic + " " + object.updated + " " + adder.sum());
    }
}
