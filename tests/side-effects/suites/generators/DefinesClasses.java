import static net.bytebuddy.matcher.ElementMatchers.named;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.implementation.MethodDelegation;
import net.bytebuddy.implementation.bind.annotation.SuperCall;
import net.sf.cglib.beans.BeanCopier;
import net.sf.cglib.proxy.Enhancer;
import net.sf.cglib.proxy.MethodInterceptor;

/**
 * Subclasses, redefines and retransforms classes by ByteBuddy, and makes proxies by cglib; all
 * while the program runs, also classes that are on the stack.
 */
public final class DefinesClasses {
    private DefinesClasses() {
    }

    public static class Greeter {
        private int calls;

        public String greet(String name) {
            calls++;
            return "hello " + name + " " + calls;
        }

        public int calls() {
            return calls;
        }

        public void setCalls(int calls) {
            this.calls = calls;
        }

        public int getCalls() {
            return calls;
        }
    }

    public static class Redefined {
        public String text() {
            return "before";
        }

        public int loop(int count) {
            int sum = 0;
            for (int i = 0; i < count; i++) {
                sum += i;
                if (i == count / 2 && count > 100) {
                    // This very method is replaced while it runs.
                    redefine(Redefined.class, "inside " + count);
                }
            }
            return sum;
        }
    }

    public static class Advised {
        public int work(int value) {
            if (value < 0) {
                throw new IllegalArgumentException("negative");
            }
            return value * 2;
        }
    }

    public static final class Counting {
        static int entries;
        static int failures;

        private Counting() {
        }

        @Advice.OnMethodEnter
        static void enter() {
            DefinesClasses.Tally.entries++;
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.Thrown Throwable thrown) {
            if (thrown != null) {
                DefinesClasses.Tally.failures++;
            }
        }
    }

    public static final class Tally {
        public static int entries;
        public static int failures;
    }

    public static final class Shouting {
        public static String shout(@SuperCall Callable<String> original) throws Exception {
            return original.call().toUpperCase();
        }
    }

    public static void main(String[] args) throws Exception {
        List<Object> said = new ArrayList<>();
        Instrumentation instrumentation = ByteBuddyAgent.install();
        for (int round = 0; round < 20; round++) {
            Greeter shouting = new ByteBuddy().subclass(Greeter.class)
                .method(named("greet")).intercept(MethodDelegation.to(Shouting.class))
                .make().load(DefinesClasses.class.getClassLoader()).getLoaded().getDeclaredConstructor().newInstance();
            said.add(shouting.greet("you") + shouting.greet("all") + shouting.calls());

            Redefined redefined = new Redefined();
            redefine(Redefined.class, "round " + round);
            said.add(redefined.text() + " " + redefined.loop(1000) + " " + redefined.text());
            ClassReloadingStrategy.fromInstalledAgent().reset(Redefined.class);
            said.add(redefined.text());

            Greeter proxy = proxy(round);
            said.add(proxy.greet("cglib") + proxy.calls() + proxy.toString().startsWith("intercepted"));
            BeanCopier copier = BeanCopier.create(Greeter.class, Greeter.class, false);
            Greeter copy = new Greeter();
            copier.copy(proxy, copy, null);
            said.add(copy.getCalls());
        }
        AgentBuilder builder = new AgentBuilder.Default()
            .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
            .disableClassFormatChanges()
            .type(named("DefinesClasses$Advised"))
            .transform((type, description, loader, module, domain) -> type.visit(Advice.to(Counting.class).on(named("work"))));
        Advised advised = new Advised();
        said.add(advised.work(4) + " " + Tally.entries);
        var transformer = builder.installOn(instrumentation);
        said.add(work(advised) + " " + Tally.entries + " " + Tally.failures);
        instrumentation.retransformClasses(Advised.class, Greeter.class, ArrayList.class, Thread.class, Object.class);
        said.add(work(advised) + " " + Tally.entries + " " + Tally.failures);
        transformer.reset(instrumentation, AgentBuilder.RedefinitionStrategy.RETRANSFORMATION);
        said.add(work(advised) + " " + Tally.entries + " " + Tally.failures);
        said.forEach(System.out::println);
        for (Method method : Advised.class.getDeclaredMethods()) {
            System.out.println(method);
        }
        System.out.println("classes defined, redefined and retransformed");
    }

    private static int work(Advised advised) {
        int sum = 0;
        for (int i = -3; i < 20000; i++) {
            try {
                sum += advised.work(i);
            } catch (IllegalArgumentException e) {
                sum += e.getStackTrace()[0].getLineNumber();
            }
        }
        return sum;
    }

    static void redefine(Class<?> type, String text) {
        new ByteBuddy().redefine(type).method(named("text")).intercept(FixedValue.value(text))
            .make().load(type.getClassLoader(), ClassReloadingStrategy.fromInstalledAgent());
    }

    private static Greeter proxy(int round) {
        Enhancer enhancer = new Enhancer();
        enhancer.setSuperclass(Greeter.class);
        enhancer.setUseCache(round % 2 == 0);
        enhancer.setCallback((MethodInterceptor) (object, method, arguments, methodProxy) ->
            method.getReturnType() == String.class
                ? "intercepted " + methodProxy.invokeSuper(object, arguments) : methodProxy.invokeSuper(object, arguments));
        return (Greeter) enhancer.create();
    }
}
