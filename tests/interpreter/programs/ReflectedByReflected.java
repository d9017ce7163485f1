import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * A method that is called by reflection fails to call another one so. Since JDK 18, reflection takes
 * that for its own failure, and says so by another exception.
 */
class ReflectedByReflected {
    Object kept;

    Object inner(Object o) {
        kept = o;
        return o;
    }

    Object outer(Object on) throws Exception {
        kept = on;
        return Reflected.method(ReflectedByReflected.class, "inner").invoke(on, "given");
    }

    Object failing(Object o) {
        return o.toString();
    }

    Object call(String name, Object with) {
        try {
            return Reflected.method(ReflectedByReflected.class, name).invoke(this, with);
        } catch (InvocationTargetException e) {
            kept = e;
            return "the method fails";
        } catch (RuntimeException e) {
            kept = e;
            return e.getClass().getName();
        } catch (IllegalAccessException e) {
            return e;
        }
    }

    public static void main(String[] args) {
        ReflectedByReflected it = new ReflectedByReflected();
        System.out.println(it.call("outer", it));
        System.out.println(it.call("outer", null));
        System.out.println(it.call("failing", null));
        System.out.println(it.call("inner", it) == it);
    }
}
