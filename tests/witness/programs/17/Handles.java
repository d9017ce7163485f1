import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;

/** Method handles: direct, adapted, combined, with exceptions, and the methods that they reach. */
public class Handles {
    int field = 3;

    static int add(int a, int b) {
        int sum = a;
        for (int i = 0; i < b; i++) {
            sum++;
        }
        return sum;
    }

    String show(Object o) {
        return "<" + o + field + ">";
    }

    private static long secret(long x) {
        return -x;
    }

    static boolean isOdd(int n) {
        return n % 2 != 0;
    }

    static int fails(int n) {
        if (n > 2) {
            throw new IllegalArgumentException("more than two");
        }
        return n;
    }

    static int rescue(IllegalArgumentException e, int n) {
        return -n * e.getMessage().length();
    }

    static void cleanUp(Throwable t, int n) {
        System.out.print(t == null ? "." : "!");
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType binary = MethodType.methodType(int.class, int.class, int.class);
        MethodHandle add = lookup.findStatic(Handles.class, "add", binary);
        MethodHandle show = lookup.findVirtual(Handles.class, "show", MethodType.methodType(String.class, Object.class));
        MethodHandle secret = lookup.findStatic(Handles.class, "secret", MethodType.methodType(long.class, long.class));
        MethodHandle create = lookup.findConstructor(Handles.class, MethodType.methodType(void.class));
        MethodHandle getter = lookup.findGetter(Handles.class, "field", int.class);
        MethodHandle setter = lookup.findSetter(Handles.class, "field", int.class);
        for (int i = 0; i < 4; i++) {
            Handles object = (Handles) create.invokeExact();
            setter.invokeExact(object, i);
            System.out.print((int) add.invokeExact(i, 5) + (String) show.invoke(object, "x") + (long) secret.invoke(7)
                    + (int) getter.invokeExact(object) + " ");
        }
        MethodHandle bound = MethodHandles.insertArguments(add, 1, 10);
        MethodHandle isOdd = lookup.findStatic(Handles.class, "isOdd", MethodType.methodType(boolean.class, int.class));
        MethodHandle guarded = MethodHandles.guardWithTest(isOdd, bound, MethodHandles.identity(int.class));
        MethodHandle fails = lookup.findStatic(Handles.class, "fails", MethodType.methodType(int.class, int.class));
        MethodHandle rescue = lookup.findStatic(Handles.class, "rescue",
                MethodType.methodType(int.class, IllegalArgumentException.class, int.class));
        MethodHandle caught = MethodHandles.catchException(fails, IllegalArgumentException.class, rescue);
        MutableCallSite site = new MutableCallSite(bound);
        MethodHandle dynamic = site.dynamicInvoker();
        for (int i = 0; i < 5; i++) {
            System.out.print((int) guarded.invokeExact(i) + " " + (int) caught.invokeExact(i) + " "
                    + (int) dynamic.invokeExact(i) + " ");
            site.setTarget(i % 2 == 0 ? caught : bound);
        }
        Object spread = add.asSpreader(Object[].class, 2).invoke(new Object[] {1, 2});
        System.out.println(spread + " " + add.invokeWithArguments(3, 4));
    }
}
