package samples;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Benchmarks that do the same in every call, in three ways. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(2)
public class Counted {
    @Param({"10", "100"})
    int size;

    /** A loop of known bytecodes. */
    @Benchmark
    public int sum() {
        int sum = 0;
        for (int i = 0; i < size; i++) {
            sum += i;
        }
        return sum;
    }

    /** Ten operations in a call, each of which makes a list and fills it. */
    @Benchmark
    @OperationsPerInvocation(10)
    public List<Integer> fill() {
        List<Integer> list = null;
        for (int i = 0; i < 10; i++) {
            list = new ArrayList<>();
            for (int j = 0; j < size; j++) {
                list.add(j);
            }
        }
        return list;
    }

    /** Text, lambdas and a hash table of the class library. */
    @Benchmark
    public Map<String, Integer> words() {
        Map<String, Integer> words = new HashMap<>();
        for (int i = 0; i < size; i++) {
            words.merge("word " + i % 7, i, (one, other) -> one + other);
        }
        words.put("largest", largest(new int[] {1, size}));
        return words;
    }

    private static int largest(int[] numbers) {
        int largest = Integer.MIN_VALUE;
        for (int number : numbers) {
            largest = Math.max(largest, number);
        }
        return largest;
    }
}
