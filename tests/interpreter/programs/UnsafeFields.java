import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Atomics and a concurrent map, which reach their fields through Unsafe or handles. */
class UnsafeFields {
    Object kept;

    public static void main(String[] args) {
        UnsafeFields u = new UnsafeFields();
        AtomicInteger n = new AtomicInteger(3);
        for (int i = 0; i < 3; i++) n.incrementAndGet();
        n.compareAndSet(6, 8);
        ConcurrentHashMap<String, Object> map = new ConcurrentHashMap<>();
        map.put("u", u);
        map.put("n", n);
        u.kept = map.get("u");
        System.out.println(n.get() + map.size() + " " + (u.kept == u));
    }
}
