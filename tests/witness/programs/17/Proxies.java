import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.Map;

/** Dynamic proxies and their handlers. */
public class Proxies {
    interface Greeter {
        String greet(String name, int times);

        default String twice(String name) {
            return greet(name, 2);
        }

        void fail() throws java.io.IOException;
    }

    static class Handler implements InvocationHandler {
        int calls;

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            calls++;
            switch (method.getName()) {
                case "greet":
                    return "hello ".repeat((Integer) arguments[1]) + arguments[0];
                case "twice":
                    return InvocationHandler.invokeDefault(proxy, method, arguments);
                case "hashCode":
                    return 77;
                case "fail":
                    throw new Exception("undeclared");
                default:
                    return null;
            }
        }
    }

    public static void main(String[] args) {
        Handler handler = new Handler();
        Greeter greeter = (Greeter) Proxy.newProxyInstance(
                Proxies.class.getClassLoader(), new Class<?>[] {Greeter.class, Comparable.class}, handler);
        for (int i = 0; i < 3; i++) {
            System.out.println(greeter.greet("world", i) + greeter.twice("x") + greeter.hashCode() + greeter);
        }
        try {
            greeter.fail();
        } catch (UndeclaredThrowableException e) {
            System.out.println(e.getCause().getMessage());
        } catch (java.io.IOException e) {
            System.out.println("declared");
        }
        List<?> list = (List<?>) Proxy.newProxyInstance(
                Proxies.class.getClassLoader(), new Class<?>[] {List.class}, (proxy, method, arguments) -> method.invoke(List.of(1, 2), arguments));
        System.out.println(list.size() + " " + list.contains(2) + Proxy.isProxyClass(list.getClass()) + handler.calls);
        Map<?, ?> map = (Map<?, ?>) Proxy.newProxyInstance(null, new Class<?>[] {Map.class}, (proxy, method, arguments) -> method.getName().length());
        System.out.println(map.size());
    }
}
