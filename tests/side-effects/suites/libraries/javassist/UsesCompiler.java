import java.lang.invoke.MethodHandles;
import java.util.function.Function;
import javassist.ClassPool;
import javassist.CtClass;
import javassist.CtField;
import javassist.CtMethod;
import javassist.CtNewMethod;
import javassist.LoaderClassPath;
import javassist.expr.ExprEditor;
import javassist.expr.MethodCall;
import javassist.util.proxy.ProxyFactory;
import javassist.util.proxy.ProxyObject;

/** Classes that are compiled from text, and changed before they are loaded. */
public final class UsesCompiler {
    private UsesCompiler() {
    }

    public static class Plain {
        public char letter(boolean flag, int i) {
            return flag ? (char) ('a' + i % 26) : 'z';
        }

        public boolean even(long value) {
            return value % 2 == 0;
        }
    }

    public static void main(String[] args) throws Exception {
        ClassPool pool = new ClassPool(true);
        pool.appendClassPath(new LoaderClassPath(UsesCompiler.class.getClassLoader()));
        CtClass changed = pool.get("Changed");
        CtMethod work = changed.getDeclaredMethod("work");
        work.insertBefore("{ calls++; if ($1 < 0) throw new IllegalArgumentException(\"negative \" + $1); }");
        work.insertAfter("{ $_ = $_ * 3 + calls; }");
        work.addCatch("{ return -1L; }", pool.get("java.lang.IllegalArgumentException"));
        work.instrument(new ExprEditor() {
            @Override public void edit(MethodCall call) throws javassist.CannotCompileException {
                if (call.getMethodName().equals("helper")) {
                    call.replace("{ $_ = $proceed($$) + 100; }");
                }
            }
        });
        changed.toClass(Changed0.lookup());
        long sum = 0;
        for (int i = -100; i < 8000; i++) {
            sum = sum * 31 + Changed.work(i);
        }
        System.out.println(sum + " " + Changed.calls);

        CtClass made = pool.makeClass("Made");
        made.addInterface(pool.get("java.util.function.Function"));
        made.addField(CtField.make("private boolean flag = true;", made));
        made.addField(CtField.make("private char letter = 'm';", made));
        made.addMethod(CtNewMethod.make("public Object apply(Object value) { flag = !flag; letter++;"
            + " return String.valueOf(flag) + letter + value + Boolean.valueOf(flag).hashCode(); }", made));
        @SuppressWarnings("unchecked")
        Function<Object, Object> function =
            (Function<Object, Object>) made.toClass(MethodHandles.lookup()).getConstructor().newInstance();
        for (int i = 0; i < 3000; i++) {
            sum = sum * 31 + function.apply(i).hashCode();
        }
        ProxyFactory factory = new ProxyFactory();
        factory.setSuperclass(Plain.class);
        Plain plain = (Plain) factory.createClass(MethodHandles.lookup()).getConstructor().newInstance();
        ((ProxyObject) plain).setHandler((self, method, proceed, arguments) -> {
            Object result = proceed.invoke(self, arguments);
            return result instanceof Character letter ? (Object) (char) (letter + 1) : result;
        });
        for (int i = 0; i < 3000; i++) {
            sum = sum * 31 + plain.letter(plain.even(i), i);
        }
        System.out.println("javassist " + sum);
    }
}

/** Beside the class that is changed, and loaded before. */
final class Changed0 {
    private Changed0() {
    }

    static MethodHandles.Lookup lookup() {
        return MethodHandles.lookup();
    }
}

/** Changed before it is loaded. */
final class Changed {
    static int calls;

    private Changed() {
    }

    static long work(int i) {
        long sum = 0;
        for (int round = 0; round < i % 5; round++) {
            sum += helper(round);
        }
        return sum;
    }

    static int helper(int i) {
        return i * 2;
    }
}
