import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.Set;

/** Asks frames of its stack where they stand, before and after anything else of them. */
public class WalksStacks {
    private static int sum;

    private static List<StackFrame> frames(Set<Option> options) {
        return StackWalker.getInstance(options).walk(frames -> frames.limit(6).toList());
    }

    private static int index(StackFrame frame) {
        return frame.getByteCodeIndex();
    }

    private static void ask(List<StackFrame> frames) {
        for (StackFrame frame : frames) {
            sum += index(frame);
            sum += frame.getMethodName().length() + frame.getClassName().length();
            sum += index(frame) + frame.getLineNumber();
            sum += frame.toStackTraceElement().getLineNumber();
            sum += index(frame) + (frame.isNativeMethod() ? 1 : 0);
        }
    }

    private static void deeper(int depth, Set<Option> options) {
        if (depth > 0) {
            deeper(depth - 1, options);
            return;
        }
        ask(frames(options));
        ask(frames(options));
    }

    public static void main(String[] arguments) {
        deeper(3, Set.of());
        deeper(8, Set.of(Option.RETAIN_CLASS_REFERENCE));
        Runnable lambda = () -> deeper(0, Set.of(Option.SHOW_HIDDEN_FRAMES));
        lambda.run();
        lambda.run();
        System.out.println(sum);
    }
}
