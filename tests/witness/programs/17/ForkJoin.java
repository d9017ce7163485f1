import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.stream.IntStream;

/** Tasks that fork, in a pool with a single worker. */
public class ForkJoin {
    static class Sum extends RecursiveTask<Long> {
        final int from;
        final int to;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Long compute() {
            if (to - from <= 10) {
                return direct();
            }
            int middle = (from + to) / 2;
            Sum left = new Sum(from, middle);
            Sum right = new Sum(middle, to);
            left.fork();
            long sum = right.compute();
            return sum + left.join();
        }

        long direct() {
            long sum = 0;
            for (int i = from; i < to; i++) {
                sum += i;
            }
            return sum;
        }
    }

    public static void main(String[] args) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(1);
        System.out.println(pool.submit(new Sum(0, 300)).get());
        System.out.println(pool.submit(() -> IntStream.range(0, 100).parallel().map(x -> x * x).sum()).get());
        pool.shutdown();
    }
}
