import static net.bytebuddy.matcher.ElementMatchers.any;
import static net.bytebuddy.matcher.ElementMatchers.isDeclaredBy;
import static net.bytebuddy.matcher.ElementMatchers.named;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.Callable;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.implementation.FieldAccessor;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.implementation.InvocationHandlerAdapter;
import net.bytebuddy.implementation.MethodDelegation;
import net.bytebuddy.implementation.bind.annotation.AllArguments;
import net.bytebuddy.implementation.bind.annotation.Origin;
import net.bytebuddy.implementation.bind.annotation.RuntimeType;
import net.bytebuddy.implementation.bind.annotation.SuperCall;

/** Advice that boxes arguments and results of every type, in classes that are retransformed while they run. */
public final class UsesAdvice {
    private UsesAdvice() {
    }

    public static class Every {
        public boolean flag(boolean a) {
            return !a;
        }

        public char letter(char a, byte b) {
            return (char) (a + b);
        }

        public short medium(short a) {
            return (short) (a * 2);
        }

        public byte small(byte a) {
            return (byte) (a - 1);
        }

        public double mixed(float a, long b, int c) {
            if (c < 0) {
                throw new IllegalArgumentException("negative " + c);
            }
            return a + b * c;
        }
    }

    public static final class Noted {
        static long sum;
        static int thrown;

        private Noted() {
        }

        @Advice.OnMethodEnter
        static Object[] enter(@Advice.AllArguments Object[] all, @Advice.Origin("#m") String name) {
            Log.sum = Log.sum * 31 + Arrays.hashCode(all) + name.length();
            return all;
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.Enter Object[] all, @Advice.Return Object result, @Advice.Thrown Throwable e) {
            Log.sum = Log.sum * 31 + (result == null ? 7 : result.hashCode()) + all.length;
            Log.thrown += e == null ? 0 : 1;
        }
    }

    public static final class Log {
        public static long sum;
        public static int thrown;
    }

    public static final class Delegate {
        @RuntimeType
        public static Object intercept(@AllArguments Object[] all, @SuperCall Callable<?> original, @Origin Method method) throws Exception {
            Log.sum = Log.sum * 31 + Arrays.hashCode(all);
            Object result = original.call();
            return result instanceof Boolean flag ? !flag : result;
        }
    }

    static long work(Every every, int rounds) {
        long sum = 0;
        for (int i = -2; i < rounds; i++) {
            try {
                sum = sum * 31 + (every.flag(i % 2 == 0) ? 1 : 2) + every.letter((char) ('a' + i), (byte) 1) + every.medium((short) i)
                    + every.small((byte) i) + (long) every.mixed(i, i, i);
            } catch (IllegalArgumentException e) {
                sum += e.getMessage().length();
            }
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        var instrumentation = ByteBuddyAgent.install();
        System.out.println(work(new Every(), 2000));
        var transformer = new AgentBuilder.Default().with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION).disableClassFormatChanges()
            .type(named("UsesAdvice$Every"))
            .transform((builder, type, loader, module, domain) -> builder.visit(Advice.to(Noted.class).on(isDeclaredBy(Every.class)
                .and(net.bytebuddy.matcher.ElementMatchers.isMethod()))))
            .installOn(instrumentation);
        System.out.println(work(new Every(), 4000) + " " + Log.sum + " " + Log.thrown);
        transformer.reset(instrumentation, AgentBuilder.RedefinitionStrategy.RETRANSFORMATION);
        System.out.println(work(new Every(), 1000) + " " + Log.sum);
        Every delegating = new ByteBuddy().subclass(Every.class).method(isDeclaredBy(Every.class)).intercept(MethodDelegation.to(Delegate.class))
            .make().load(UsesAdvice.class.getClassLoader()).getLoaded().getConstructor().newInstance();
        System.out.println(work(delegating, 3000) + " " + Log.sum);
        DynamicType.Unloaded<Object> made = new ByteBuddy().subclass(Object.class).implement(Comparable.class)
            .defineField("letter", char.class, Visibility.PRIVATE).defineField("flag", boolean.class, Visibility.PRIVATE)
            .defineMethod("getLetter", char.class, Visibility.PUBLIC).intercept(FieldAccessor.ofBeanProperty())
            .defineMethod("setLetter", void.class, Visibility.PUBLIC).withParameters(char.class).intercept(FieldAccessor.ofBeanProperty())
            .method(named("compareTo")).intercept(InvocationHandlerAdapter.of((proxy, method, arguments) -> arguments.length + 4))
            .method(named("toString")).intercept(FixedValue.value("made")).make();
        Object object = made.load(UsesAdvice.class.getClassLoader()).getLoaded().getConstructor().newInstance();
        object.getClass().getMethod("setLetter", char.class).invoke(object, 'y');
        @SuppressWarnings("unchecked")
        Comparable<Object> comparable = (Comparable<Object>) object;
        System.out.println(object + " " + object.getClass().getMethod("getLetter").invoke(object) + comparable.compareTo("x"));
        new ByteBuddy().redefine(Every.class).method(named("flag")).intercept(FixedValue.value(true)).make()
            .load(Every.class.getClassLoader(), ClassReloadingStrategy.fromInstalledAgent());
        System.out.println(work(new Every(), 1000) + " bytebuddy " + any().matches(null));
    }
}
