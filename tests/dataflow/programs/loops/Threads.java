import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The same loop in several threads at once, and in threads one after the other. */
public class Threads {
    private static final int ELEMENTS = 30;

    public static void main(String[] arguments) throws Exception {
        List<Integer> shared = new ArrayList<>();
        for (int i = 0; i < ELEMENTS; i++) {
            shared.add(500 + i);
        }
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            results.add(pool.submit(() -> search(shared)));
        }
        int found = 0;
        for (Future<Integer> result : results) {
            found += result.get();
        }
        pool.shutdown();
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> search(shared));
            thread.start();
            thread.join();
        }
        System.out.println(found);
    }

    static int search(List<Integer> shared) {
        int found = 0;
        for (int i = 0; i < 25; i++) {
            found += shared.contains(i) ? 1 : 0;
        }
        return found;
    }
}
