import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Reflection on a class with one member of each kind, so that their order does not matter: what the class library does is compared, too. */
public class ReflectsSimply {
    static class Target {
        int number;

        Target(int number) {
            this.number = number;
        }

        int add(int n) {
            if (n > 20) {
                throw new IllegalArgumentException("more than 20");
            }
            return number += n;
        }
    }

    public static void main(String[] args) throws Exception {
        Constructor<Target> constructor = Target.class.getDeclaredConstructor(int.class);
        Method add = Target.class.getDeclaredMethod("add", int.class);
        Field number = Target.class.getDeclaredField("number");
        int sum = 0;
        // After 15 calls JDK 17 generates classes for the method and the constructor.
        for (int i = 0; i < 25; i++) {
            Target target = constructor.newInstance(i);
            try {
                sum += (Integer) add.invoke(target, i);
            } catch (InvocationTargetException e) {
                sum += e.getCause().getMessage().length();
            }
            number.setInt(target, number.getInt(target) * 2);
            sum += target.number;
        }
        System.out.println(sum);
    }
}
