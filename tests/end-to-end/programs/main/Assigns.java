import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;

/** Objects to which references are stored, in whatever state their headers are. Each class is a row of the test. */
public class Assigns {
    static final int MANY = 1000;

    static class OneOfMany {
    }

    static class Locked {
    }

    static class LockedAgain {
    }

    static class Inflated {
    }

    static class Hashed {
    }

    static class HashedWhileLocked {
    }

    static class Kept {
    }

    static class Raced {
    }

    static class Text {
        final String text;

        Text(String text) {
            this.text = text;
        }
    }

    static volatile Object some;
    static volatile Object other;
    static int sum;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < MANY; i++) {
            Object one = new OneOfMany();
            sum += one.getClass().getModifiers();
            if (i == 500) {
                some = one;
                other = one;
            }
        }
        for (int i = 0; i < MANY; i++) {
            locked(new Locked(), i);
            lockedAgain(new LockedAgain(), i);
            hashed(new Hashed(), i);
            hashedWhileLocked(new HashedWhileLocked(), i);
        }
        for (int i = 0; i < 40; i++) {
            inflated(new Inflated(), i);
        }
        for (int i = 0; i < MANY; i++) {
            sum += i % 10 == 0 ? new Text("number " + i).text.length() : ("number " + i).length();
        }
        for (int i = 0; i < 8; i++) {
            keep(0, 50);
        }
        race();
        fromNatives();
        System.out.println("done " + (sum != 0));
    }

    /** Every fourth is stored as long as it is locked, and again afterwards. */
    static void locked(Object object, int i) {
        synchronized (object) {
            if (i % 4 == 0) {
                some = object;
                other = object;
            }
        }
        if (i % 4 == 0) {
            some = object;
        }
    }

    /** Every fourth is stored while it is locked twice, and again afterwards. */
    static void lockedAgain(Object object, int i) {
        synchronized (object) {
            locked(object, i);
        }
    }

    /** To wait for an object gives it a monitor. */
    static void inflated(Object object, int i) throws InterruptedException {
        synchronized (object) {
            object.wait(1);
            if (i % 4 == 0) {
                some = object;
                other = object;
            }
        }
        if (i % 4 == 0) {
            some = object;
        }
    }

    static void hashed(Object object, int i) {
        sum += object.hashCode();
        locked(object, i);
    }

    static void hashedWhileLocked(Object object, int i) {
        synchronized (object) {
            sum += object.hashCode();
            if (i % 4 == 0) {
                some = object;
                other = object;
            }
            sum += System.identityHashCode(object);
        }
    }

    /**
     * Objects that are moved: of those on the stack, every second is stored before collections, and
     * again behind them; of the others every second is stored behind them only.
     */
    static void keep(int i, int depth) {
        Object object = new Kept();
        if (i % 2 == 0) {
            some = object;
        }
        if (i < depth - 1) {
            keep(i + 1, depth);
        } else {
            collect();
        }
        if (i % 4 != 3) {
            other = object;
        }
    }

    static void collect() {
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2000; j++) {
                byte[] garbage = new byte[2000];
                sum += garbage.length;
            }
            System.gc();
        }
    }

    static Object passed;
    static volatile int round;
    static volatile int taken;

    /** Two threads store every second object at the same time. What handles pass on, nobody sees. */
    static void race() throws Exception {
        VarHandle handle = MethodHandles.lookup().findStaticVarHandle(Assigns.class, "passed", Object.class);
        Thread[] threads = new Thread[2];
        for (int t = 0; t < threads.length; t++) {
            int number = t;
            threads[t] = new Thread(() -> store(handle, number));
            threads[t].start();
        }
        for (int i = 0; i < 2 * MANY; i++) {
            Object object = new Raced();
            sum += object.getClass().getModifiers();
            if (i % 2 == 0) {
                continue;
            }
            handle.setVolatile(object);
            taken = 0;
            round = i / 2 + 1;
            while (taken != 3) {
                Thread.yield();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static void store(VarHandle handle, int number) {
        for (int i = 1; i <= MANY; i++) {
            while (round != i) {
                Thread.yield();
            }
            Object object = handle.getVolatile();
            if (number == 0) {
                some = object;
            } else {
                other = object;
            }
            synchronized (Assigns.class) {
                taken |= 1 << number;
            }
        }
    }

    /** What natives make has no tag until somebody asks. */
    static void fromNatives() {
        for (int i = 0; i < MANY; i++) {
            Object array = Array.newInstance(int.class, 3);
            sum += array.hashCode();
            synchronized (array) {
                some = array;
            }
            Object next = Array.newInstance(int.class, 3);
            synchronized (next) {
                other = next;
                sum += next.hashCode();
            }
            other = next;
        }
    }
}
