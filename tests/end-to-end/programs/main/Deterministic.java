import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A single-threaded program that does the same in every run, on every compiler, and that touches
 * what a compiler replaces by code of its own: intrinsics, boxing, string concatenation, exceptions
 * without a stack trace, lambdas and method handles.
 *
 * <p>It runs long enough for both compilers to compile its hot methods. It avoids what differs
 * from run to run by design: iteration over {@code Set.of}, identity hash codes, time, the
 * environment.
 */
public final class Deterministic {
    private static final int ROUNDS = 400;

    public static void main(String[] args) throws Throwable {
        // String.intern hashes a string that it takes into its table, but not one that a literal
        // has brought there before, and C2 resolves the literals of methods ahead of their use.
        // A record's bootstrap method asks for this hash.
        long sum = "equals".hashCode() * 0L;
        for (int round = 0; round < ROUNDS; round++) {
            sum = sum * 31 + strings(round);
            sum = sum * 31 + concatenation(round);
            sum = sum * 31 + boxing(round);
            sum = sum * 31 + collections(round);
            sum = sum * 31 + sorting(round);
            sum = sum * 31 + streams(round);
            sum = sum * 31 + exceptions(round);
            sum = sum * 31 + arithmetic(round);
            sum = sum * 31 + dispatch(round);
        }
        for (int round = 0; round < 40; round++) {
            sum = sum * 31 + reflection(round);
            sum = sum * 31 + handles(round);
        }
        System.out.println("checksum " + Long.toHexString(sum));
    }

    private static int strings(int round) {
        String text = "The quick brown fox " + round + " jumps over the lazy dog";
        int result = text.indexOf("fox") + text.lastIndexOf('o') + text.hashCode();
        result += text.substring(4, 9).toUpperCase().length();
        result += text.replace('o', '0').compareTo(text);
        result += text.equals(text.toLowerCase()) ? 1 : 2;
        result += text.contains("lazy") ? 3 : 4;
        for (String word : text.split(" ")) {
            result += word.length() * word.charAt(0);
        }
        result += String.format("%5d|%-8s|%x", round, "left", round).hashCode();
        result += String.join(",", "a", "b", "c").length();
        result += "  trimmed\t".strip().length() + "ab".repeat(3).length();
        result += new String(text.toCharArray(), 2, 5).hashCode();
        result += text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        return result + Integer.parseInt(Integer.toString(round * 17));
    }

    private static int concatenation(int round) {
        String joined = "i" + round + "l" + (long) round + "d" + round / 2.0 + "b" + (round > 5) + null;
        StringBuilder builder = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            builder.append(i).append(':').append("v").append(i * 3L).append(';');
        }
        builder.insert(0, joined).reverse().setLength(40);
        // The chain that C2 folds into one allocation when it may.
        String chain = new StringBuilder().append(joined).append(round).append('c').toString();
        return builder.toString().hashCode() + joined.length() + chain.hashCode();
    }

    private static int boxing(int round) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            numbers.add(i * round % 300);
        }
        int sum = 0;
        for (Integer number : numbers) {
            sum += number;
        }
        Long wide = (long) round;
        Character letter = (char) ('a' + round % 26);
        Double half = round / 2.0;
        Boolean odd = round % 2 == 1;
        return sum + wide.intValue() + letter + half.intValue() + (odd ? 1 : 0);
    }

    private static int collections(int round) {
        Map<String, Integer> counts = new HashMap<>();
        Map<Integer, String> ordered = new TreeMap<>();
        Map<String, Integer> linked = new LinkedHashMap<>();
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        PriorityQueue<Integer> heap = new PriorityQueue<>(Comparator.reverseOrder());
        for (int i = 0; i < 40; i++) {
            String key = "key" + (i * 7 + round) % 23;
            counts.merge(key, 1, Integer::sum);
            ordered.put((i * 11) % 37, key);
            linked.computeIfAbsent(key, String::length);
            queue.addLast(i);
            heap.add((i * 13) % 29);
            if (queue.size() > 10) {
                queue.pollFirst();
            }
        }
        int result = 0;
        for (Map.Entry<String, Integer> entry : counts.entrySet()) {
            result += entry.getKey().hashCode() * entry.getValue();
        }
        for (Map.Entry<Integer, String> entry : ordered.entrySet()) {
            result ^= entry.getKey() + entry.getValue().length();
        }
        while (!heap.isEmpty()) {
            result = result * 3 + heap.poll();
        }
        return result + queue.stream().mapToInt(Integer::intValue).sum() + linked.size();
    }

    private static int sorting(int round) {
        Random random = new Random(round);
        int[] numbers = random.ints(200, 0, 1000).toArray();
        Arrays.sort(numbers);
        List<String> words = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            words.add(Integer.toString(random.nextInt(5000), 36));
        }
        Collections.sort(words);
        words.sort(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
        int[] copy = Arrays.copyOf(numbers, 100);
        System.arraycopy(numbers, 50, copy, 0, 50);
        return Arrays.hashCode(copy) + words.get(7).hashCode() + Arrays.binarySearch(numbers, 500);
    }

    private static int streams(int round) {
        List<String> names = IntStream.range(0, 30)
            .filter(i -> (i + round) % 3 != 0)
            .mapToObj(i -> "n" + i)
            .collect(Collectors.toList());
        Map<Integer, List<String>> byLength = names.stream().collect(Collectors.groupingBy(String::length));
        Function<Integer, Function<Integer, Integer>> adder = a -> b -> a + b + round;
        int folded = names.stream().map(String::hashCode).reduce(0, (a, b) -> a * 31 + b);
        return byLength.size() + adder.apply(3).apply(4) + folded
            + (int) IntStream.rangeClosed(1, 20).mapToLong(i -> (long) i * i).sum();
    }

    private static int exceptions(int round) {
        int caught = 0;
        Object[] objects = {"text", round, null};
        for (int i = 0; i < 12; i++) {
            // Thrown often enough from compiled code for the JVM to drop the stack trace.
            try {
                caught += objects[i % 4].toString().length();
            } catch (ArrayIndexOutOfBoundsException | NullPointerException implicit) {
                caught += 100;
            }
            try {
                caught += ((String) objects[i % 2]).length();
            } catch (ClassCastException wrongType) {
                caught += 10;
            }
            try {
                caught += 10 / (i % 3);
            } catch (ArithmeticException zero) {
                caught += 1;
            } finally {
                caught ^= i;
            }
            try {
                refuse(i, 3);
            } catch (IllegalStateException refused) {
                caught += refused.getMessage().length();
            }
        }
        return caught;
    }

    private static void refuse(int value, int depth) {
        if (depth == 0) {
            throw new IllegalStateException("refused " + value);
        }
        refuse(value, depth - 1);
    }

    private static long arithmetic(int round) {
        long result = Math.max(round, 17) + Math.abs(round - 150) + Long.bitCount(round * 0x9E3779B9L);
        result += Integer.numberOfLeadingZeros(round) + Long.rotateLeft(round, 7);
        result += (long) (Math.sqrt(round) * 1000 + Math.sin(round) * 1000 + Math.pow(round, 1.5));
        result += Math.multiplyHigh(round * 12345678901L, 9876543210L) + Math.floorMod(-round, 7);
        for (int i = 0; i < 200; i++) {
            result = result * 31 + (i ^ (result >>> 3));
            switch (i % 6) {
                case 0: result++; break;
                case 1: result--; break;
                case 3: result ^= i; break;
                default: result += 2;
            }
        }
        return result;
    }

    private interface Shape {
        int area();

        default int twice() {
            return area() * 2;
        }
    }

    private record Square(int side) implements Shape {
        @Override
        public int area() {
            return side * side;
        }
    }

    private record Oblong(int width, int height) implements Shape {
        @Override
        public int area() {
            return width * height;
        }

        @Override
        public int twice() {
            return Shape.super.twice() + 1;
        }
    }

    private enum Operation implements IntBinaryOperator {
        ADD {
            @Override
            public int applyAsInt(int a, int b) {
                return a + b;
            }
        },
        MULTIPLY {
            @Override
            public int applyAsInt(int a, int b) {
                return a * b;
            }
        }
    }

    private static int dispatch(int round) {
        Shape[] shapes = {new Square(round), new Oblong(round, 2), () -> round};
        int result = 0;
        for (int i = 0; i < 30; i++) {
            Shape shape = shapes[i % 3];
            result += shape.twice() + Operation.values()[i % 2].applyAsInt(i, round);
            result += shape.equals(shapes[0]) ? 1 : 0;
        }
        return result + new Square(round).hashCode() + new Oblong(1, round).toString().length();
    }

    public static int target(int value, String text) {
        if (value % 5 == 4) {
            throw new UnsupportedOperationException(text);
        }
        return value + text.length();
    }

    private static int reflection(int round) throws Exception {
        Method method = Deterministic.class.getMethod("target", int.class, String.class);
        // The only one: several would be looked through in the order of their addresses in the JVM.
        Constructor<Oblong> constructor = Oblong.class.getDeclaredConstructor(int.class, int.class);
        int result = constructor.newInstance(round, 9).height();
        try {
            result += (Integer) method.invoke(null, round, "abc");
        } catch (InvocationTargetException thrown) {
            result += thrown.getCause().getMessage().length();
        }
        int[] array = (int[]) java.lang.reflect.Array.newInstance(int.class, 4);
        return result + array.length + method.getParameterCount();
    }

    private static int handles(int round) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle length = lookup.findVirtual(String.class, "length", MethodType.methodType(int.class));
        MethodHandle target = lookup.findStatic(Deterministic.class, "target",
            MethodType.methodType(int.class, int.class, String.class));
        MethodHandle bound = MethodHandles.insertArguments(target, 1, "bound");
        return (int) length.invokeExact("handle") + (int) bound.invokeExact(round / 5 * 5);
    }
}
