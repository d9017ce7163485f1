import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Reflection: calls before and after the class library generates accessors, fields, constructors, annotations. */
public class Reflects {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Weight {
        int value() default 7;
    }

    @Weight(3)
    public static class Target {
        public int number;
        private String text = "private";

        public Target() {
        }

        public Target(int number) {
            this.number = number;
        }

        public int add(int n) {
            for (int i = 0; i < n; i++) {
                number++;
            }
            return number;
        }

        public static String join(String a, Object[] rest) {
            return a + rest.length;
        }

        @Weight
        void annotated() {
        }
    }

    public static void main(String[] args) throws Exception {
        Method add = Target.class.getMethod("add", int.class);
        Target target = new Target();
        int sum = 0;
        // After 15 calls JDK 17 generates a class for the method.
        for (int i = 0; i < 25; i++) {
            sum += (Integer) add.invoke(target, i % 4);
        }
        System.out.println(sum);
        Constructor<Target> constructor = Target.class.getConstructor(int.class);
        for (int i = 0; i < 20; i++) {
            sum += constructor.newInstance(i).number;
        }
        System.out.println(sum + (String) Target.class.getMethod("join", String.class, Object[].class).invoke(null, "a", new Object[] {1, 2}));
        Field number = Target.class.getField("number");
        Field text = Target.class.getDeclaredField("text");
        text.setAccessible(true);
        for (int i = 0; i < 3; i++) {
            number.setInt(target, i);
            text.set(target, "set" + i);
            System.out.print(number.get(target) + (String) text.get(target));
        }
        Object array = Array.newInstance(int.class, 3);
        Array.setInt(array, 1, 5);
        System.out.println(Array.getLength(array) + Array.getInt(array, 1));
        System.out.println(Target.class.getAnnotation(Weight.class).value()
                + Target.class.getDeclaredMethod("annotated").getAnnotation(Weight.class).value());
        // Calls a native method, and one that is only known at run time.
        System.out.println(Math.class.getMethod("max", int.class, int.class).invoke(null, 3, 8));
        System.out.println(((Class<?>) Object.class.getMethod("getClass").invoke("x")).getName());
        try {
            Target.class.getMethod("absent");
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        try {
            add.invoke(target, "wrong");
        } catch (IllegalArgumentException e) {
            System.out.println("wrong argument");
        }
    }
}
