import java.util.Arrays;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/** All kinds of method references (JLS 15.13). */
public class MethodReferences {
    final String text;

    MethodReferences(String text) {
        this.text = text;
    }

    static int length(String s) {
        return s.length();
    }

    int own(String s) {
        return text.length() + s.length();
    }

    static class Derived extends MethodReferences {
        Derived(String text) {
            super(text);
        }

        @Override
        int own(String s) {
            ToIntFunction<String> inherited = super::own;
            return -inherited.applyAsInt(s);
        }
    }

    static int varargs(Object... all) {
        return all.length;
    }

    interface Two {
        int of(int a, int b);
    }

    public static void main(String[] args) {
        ToIntFunction<String> fixed = MethodReferences::length;
        ToIntFunction<String> unbound = String::length;
        ToIntFunction<String> bound = new MethodReferences("bound")::own;
        ToIntFunction<String> derived = new Derived("derived")::own;
        Function<String, MethodReferences> constructor = MethodReferences::new;
        IntFunction<int[]> array = int[]::new;
        Supplier<String> string = "shout"::toUpperCase;
        Two varargs = MethodReferences::varargs;
        Two max = Math::max;
        for (int i = 0; i < 3; i++) {
            System.out.println(fixed.applyAsInt("abc") + unbound.applyAsInt("abcd") + bound.applyAsInt("x")
                    + derived.applyAsInt("y") + constructor.apply("new").text + array.apply(4).length + string.get()
                    + varargs.of(1, 2) + max.of(3, 9));
        }
        String[] words = {"b", "C", "a"};
        Arrays.sort(words, String::compareToIgnoreCase);
        System.out.println(Arrays.toString(words));
        try {
            MethodReferences none = null;
            ToIntFunction<String> fails = none::own;
        } catch (NullPointerException e) {
            System.out.println("null receiver");
        }
        // Two interfaces, one object.
        Object clone = (Function<int[], Object> & java.io.Serializable) int[]::clone;
        System.out.println(clone instanceof java.io.Serializable);
    }
}
