import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Virtual threads, where there are any, make objects and change carriers on the way. */
public final class Virtual {
    static final class Made {
        final Object slow;

        Made() {
            this(pause());
        }

        Made(Object slow) {
            this.slow = slow;
        }

        static Object pause() {
            Object made = new int[1];
            Thread.yield();
            return made;
        }
    }

    private static final AtomicInteger WRONG = new AtomicInteger();

    private Virtual() {
    }

    public static void main(String[] args) throws Exception {
        int expected = Tags.of(make());
        int inside = Tags.of(make().slow);
        CountDownLatch done = new CountDownLatch(500);
        Runnable work = () -> {
            for (int i = 0; i < 40; i++) {
                Made made = make();
                if (Tags.of(made) != expected || Tags.of(made.slow) != inside) {
                    WRONG.incrementAndGet();
                }
            }
            done.countDown();
        };
        for (int i = 0; i < 500; i++) {
            start(work);
        }
        done.await();
        System.out.println(WRONG.get() + " wrong");
    }

    private static void start(Runnable work) throws Exception {
        try {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            start.invoke(null, work);
        } catch (NoSuchMethodException e) {
            new Thread(work).start();
        }
    }

    private static Made make() {
        return new Made();
    }
}
