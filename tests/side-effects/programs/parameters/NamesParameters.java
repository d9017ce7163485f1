import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What reflection knows of parameters after a command, which the arguments are: {@code %p} in it
 * stands for this process. Compiled with {@code -parameters}.
 */
public class NamesParameters {
    @Retention
    @interface Marked { int[] numbers() default {1, 2}; }

    @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
    @interface Retention { }

    @Retention
    void marked(@Retention int first, final String second) throws IllegalStateException { }

    <T extends Comparable<T>> List<T> generic(List<? super T> from, long wide, T... others) { return null; }

    static void none() { }

    abstract static class Abstract {
        abstract int declared(int soon);
        native void bound(Object there);
    }

    enum Kind { ONE { @Override int of(int number) { return number; } }; int of(int number) { return 0; } }

    class Inner { Inner(int given) { } }

    record Pair(int left, List<String> right) { Pair { } }

    public static void main(String[] arguments) throws Exception {
        Class<?>[] classes = {
            NamesParameters.class, Marked.class, Abstract.class, Kind.class, Kind.ONE.getClass(), Inner.class, Pair.class
        };
        Kind.ONE.of(new Pair(1, List.of()).left());
        // The classes are there when the command does something to this JVM.
        List<String> command = Arrays.asList(arguments);
        command.replaceAll(argument -> argument.equals("%p") ? Long.toString(ProcessHandle.current().pid()) : argument);
        ProcessBuilder process = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        System.out.println(process.redirectError(ProcessBuilder.Redirect.INHERIT).start().waitFor());
        for (Class<?> type : classes) {
            Executable[] constructors = type.getDeclaredConstructors();
            Method[] methods = type.getDeclaredMethods();
            Arrays.sort(methods, Comparator.comparing(Method::toString));
            Arrays.stream(constructors).forEach(NamesParameters::show);
            Arrays.stream(methods).forEach(NamesParameters::show);
        }
    }

    static void show(Executable executable) {
        StringBuilder said = new StringBuilder(executable.toGenericString());
        for (Parameter parameter : executable.getParameters()) {
            said.append(' ').append(parameter.getName()).append(parameter.getModifiers()).append(parameter.isNamePresent())
                .append(parameter.isImplicit()).append(Arrays.toString(parameter.getAnnotations()));
        }
        System.out.println(said);
    }
}
