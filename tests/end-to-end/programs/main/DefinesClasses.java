import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Timestamp;

/** Classes of every loader, and such that come from nowhere. */
public class DefinesClasses {
    public interface Asked {
        int answer(int number);
    }

    /** Loaded by a loader of the program. */
    public static class Plugin implements java.util.function.IntUnaryOperator {
        @Override
        public int applyAsInt(int number) {
            return number + 1;
        }
    }

    public static void main(String[] arguments) throws Exception {
        URL here = DefinesClasses.class.getProtectionDomain().getCodeSource().getLocation();
        int sum = new Timestamp(5).getNanos();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {here}, null)) {
            Object plugin = loader.loadClass("DefinesClasses$Plugin").getConstructor().newInstance();
            sum += ((java.util.function.IntUnaryOperator) plugin).applyAsInt(1);
        }
        Asked asked = (Asked) Proxy.newProxyInstance(
            DefinesClasses.class.getClassLoader(), new Class<?>[] {Asked.class},
            (proxy, method, values) -> (Integer) values[0] * 2);
        System.out.println(sum + asked.answer(20));
    }
}
