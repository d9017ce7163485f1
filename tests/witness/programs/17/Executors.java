import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Tasks handed over to an executor's threads, one at a time. */
public class Executors {
    static int square(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += n;
        }
        return sum;
    }

    static class Task implements Callable<Integer> {
        final int n;

        Task(int n) {
            this.n = n;
        }

        @Override
        public Integer call() {
            if (n == 3) {
                throw new IllegalStateException("three");
            }
            return square(n);
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService executor = java.util.concurrent.Executors.newFixedThreadPool(1);
        int sum = 0;
        for (int i = 0; i < 6; i++) {
            Future<Integer> future = executor.submit(new Task(i));
            try {
                sum += future.get();
            } catch (ExecutionException e) {
                sum += e.getCause().getMessage().length();
            }
        }
        CompletableFuture<Integer> chain =
                CompletableFuture.supplyAsync(() -> square(7), executor).thenApplyAsync(Executors::square, executor);
        System.out.println(sum + " " + chain.get());
        executor.shutdown();
        System.out.println(executor.awaitTermination(1, java.util.concurrent.TimeUnit.MINUTES));
    }
}
