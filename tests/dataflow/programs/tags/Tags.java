import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;

/** Asks the agent for the tags of objects and prints them beside what they should say. */
final class Tags {
    private static final MethodHandle TAG = find();

    private Tags() {
    }

    private static MethodHandle find() {
        try {
            Class<?> tags = Class.forName("java.lang.SubsumeTags");
            MethodType type = MethodType.methodType(int.class, Object.class);
            return MethodHandles.publicLookup().findStatic(tags, "tag", type);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** The tag of an object; without the agent always 0. */
    static int of(Object object) {
        try {
            return TAG == null ? 0 : (int) TAG.invokeExact(object);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Says that the object was made in the line that this is called from. */
    static void here(String kind, String type, Object object) {
        Optional<StackWalker.StackFrame> caller =
                StackWalker.getInstance().walk(frames -> frames.skip(1).findFirst());
        StackWalker.StackFrame frame = caller.orElseThrow();
        print(object, kind, type, frame.getClassName() + "." + frame.getMethodName(), frame.getLineNumber());
    }

    /** Says that the object was made in a method, whatever the line. */
    static void in(String kind, String type, String method, Object object) {
        print(object, kind, type, method, 0);
    }

    private static void print(Object object, String kind, String type, String method, int line) {
        // The same tag must be found again.
        if (of(object) != of(object)) {
            System.out.println("CHANGES " + object.getClass());
        }
        System.out.println(of(object) + "\t" + kind + "\t" + type + "\t" + method + "\t" + line);
    }
}
