import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** Looks at its own stack in every way there is, and depends on who its caller is. */
public final class StackTraces {
    private final List<StackTraceElement> seen;

    StackTraces(int depth) {
        seen = depth == 0 ? Arrays.asList(new Throwable().getStackTrace()) : new StackTraces(depth - 1).seen;
    }

    static final class Initialised {
        static final StackTraceElement[] AT = new Exception().getStackTrace();
    }

    public static void main(String[] args) throws Exception {
        print("constructor", new StackTraces(2).seen);
        print("initialiser", Arrays.asList(Initialised.AT));
        print("thread", Arrays.asList(Thread.currentThread().getStackTrace()));
        Callable<StackTraceElement[]> lambda = () -> new Exception().getStackTrace();
        print("lambda", Arrays.asList(lambda.call()));
        Method method = StackTraces.class.getDeclaredMethod("reflected");
        print("reflected", Arrays.asList((StackTraceElement[]) method.invoke(null)).subList(0, 1));
        List<String> sorted = Arrays.asList("b", "a");
        sorted.sort(new Comparator<>() {
            @Override
            public int compare(String left, String right) {
                print("comparator", Arrays.asList(new Exception().getStackTrace()));
                return left.compareTo(right);
            }
        });
        System.out.println("walker " + StackWalker.getInstance().walk(frames ->
            frames.map(StackWalker.StackFrame::toString).collect(Collectors.toList())));
        System.out.println("caller " + callee());
        System.out.println("lookup " + MethodHandles.lookup());
        System.out.println("loader " + (Class.forName("StackTraces$Initialised") == Initialised.class));
        try {
            Arrays.asList(1, 2).forEach(value -> {
                throw new IllegalStateException("in lambda " + value);
            });
        } catch (IllegalStateException e) {
            print("thrown in lambda", Arrays.asList(e.getStackTrace()));
        }
    }

    static StackTraceElement[] reflected() {
        return new Exception().getStackTrace();
    }

    private static Class<?> callee() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass();
    }

    private static void print(String what, List<StackTraceElement> trace) {
        System.out.println(what);
        for (StackTraceElement element : trace) {
            System.out.println("  " + element);
        }
    }
}
