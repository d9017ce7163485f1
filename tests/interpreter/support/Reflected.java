import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * Finds members of the programs' classes. It is always left out of what is followed, and the machine
 * has its own way to find them.
 */
class Reflected {
    static Method method(Class<?> of, String name) {
        for (Method method : of.getDeclaredMethods()) {
            if (method.getName().equals(name) && !method.isSynthetic()) {
                method.setAccessible(true);
                return method;
            }
        }
        throw new AssertionError(name);
    }

    static Constructor<?> constructor(Class<?> of) {
        Constructor<?> constructor = of.getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        return constructor;
    }

    static Field field(Class<?> of, String name) {
        try {
            Field field = of.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new AssertionError(e);
        }
    }

    static MethodHandle handle(Class<?> of, String name) {
        try {
            return MethodHandles.lookup().unreflect(method(of, name));
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    static VarHandle variable(Class<?> of, String name) {
        try {
            return MethodHandles.lookup().unreflectVarHandle(field(of, name));
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    static VarHandle elements(Class<?> array) {
        return MethodHandles.arrayElementVarHandle(array);
    }
}
