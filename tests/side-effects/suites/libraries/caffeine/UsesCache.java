import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.github.benmanes.caffeine.cache.Scheduler;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Caches of several kinds, of which each is another generated class. Time stands still unless it is moved. */
public final class UsesCache {
    private UsesCache() {
    }

    private static long now;
    private static long removed;

    private static void use(Cache<Integer, String> cache) {
        for (int i = 0; i < 3000; i++) {
            int key = i * 31 % 257;
            cache.get(key, k -> "value " + k);
            if (i % 5 == 0) {
                cache.put(key + 1000, "put " + i);
            }
            if (i % 11 == 0) {
                cache.invalidate(key);
            }
            if (i % 100 == 0) {
                now += Duration.ofSeconds(1).toNanos();
                cache.cleanUp();
            }
        }
        cache.cleanUp();
        cache.asMap().merge(5, "merged", String::concat);
        Map<Integer, String> sorted = new TreeMap<>(cache.asMap());
        System.out.println(sorted.hashCode() + " " + sorted.size() + " " + cache.stats().hitCount() + " " + removed);
    }

    private static Caffeine<Object, Object> builder() {
        return Caffeine.newBuilder().executor(Runnable::run).ticker(() -> now).recordStats().scheduler(Scheduler.disabledScheduler());
    }

    public static void main(String[] args) throws Exception {
        use(builder().build());
        use(builder().expireAfterWrite(Duration.ofSeconds(5)).build());
        use(builder().expireAfterAccess(Duration.ofSeconds(3)).removalListener((k, v, cause) -> removed++).build());
        use(builder().softValues().build());
        use(builder().expireAfter(Expiry.<Integer, String>creating((k, v) -> Duration.ofSeconds(1 + k % 7))).build());
        LoadingCache<String, Integer> loading = builder().refreshAfterWrite(Duration.ofSeconds(2)).build(key -> key.length() + (int) (now % 7));
        int sum = 0;
        for (int i = 0; i < 2000; i++) {
            sum += loading.get("key" + i % 97);
            now += 50_000_000;
        }
        AsyncCache<Integer, Boolean> async = builder().maximumWeight(1_000_000).weigher((Integer k, Boolean v) -> 1 + k % 3).buildAsync();
        for (int i = 0; i < 500; i++) {
            sum += async.get(i % 50, k -> k % 2 == 0).get() ? 1 : 0;
        }
        System.out.println("caffeine " + sum);
    }
}
