import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Prints every member that reflection shows of classes which an agent may have changed. */
public final class Reflects {
    @Deprecated
    static class Sample implements Serializable {
        int field;
        transient String text;

        void method() {
        }

        static class Nested extends Sample {
        }
    }

    public static void main(String[] args) throws Exception {
        Class<?>[] shown = {
            Object.class, Thread.class, String.class, Integer.class, Math.class, Throwable.class, Class.class,
            ClassLoader.class, Runnable.class, Reflects.class, Sample.class, Sample.Nested.class, int[].class,
            Class.forName("java.lang.Thread$State"), Class.forName("java.util.HashMap$Node"),
        };
        for (Class<?> each : shown) {
            System.out.println(each + " " + Modifier.toString(each.getModifiers()));
            print(each.getDeclaredFields());
            print(each.getDeclaredMethods());
            print(each.getDeclaredConstructors());
            print(each.getMethods());
            print(each.getDeclaredClasses());
            System.out.println(Arrays.toString(each.getInterfaces()) + Arrays.toString(each.getAnnotations()));
        }
        System.out.println(ObjectStreamClass.lookup(Sample.class).getSerialVersionUID());
        Object proxy = Proxy.newProxyInstance(Reflects.class.getClassLoader(), new Class<?>[] {Runnable.class, Comparable.class},
            (self, method, arguments) -> method.getName().length());
        System.out.println(((Comparable<?>) proxy).compareTo(null) + " " + proxy.getClass().getDeclaredFields().length
            + " " + proxy.getClass().getDeclaredMethods().length);
    }

    private static void print(AnnotatedElement[] members) {
        List<String> lines = new ArrayList<>();
        for (AnnotatedElement member : members) {
            String flags = "";
            if (member instanceof Field field) {
                flags = field.isSynthetic() + " ";
            } else if (member instanceof Method method) {
                flags = method.isSynthetic() + " " + method.isVarArgs() + " ";
            } else if (member instanceof Constructor<?> constructor) {
                flags = constructor.isSynthetic() + " ";
            }
            lines.add("  " + flags + member);
        }
        Collections.sort(lines);
        lines.forEach(System.out::println);
    }
}
