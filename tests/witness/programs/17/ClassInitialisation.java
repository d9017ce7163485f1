import java.lang.reflect.Field;

/** Class initialisation in every position that triggers it (JLS 12.4.1), and in those that do not. */
public class ClassInitialisation {
    static void say(String what) {
        System.out.println(what);
    }

    static class ByNew { static { say("new"); } }
    static class ByCall { static { say("static call"); } static int f(int x) { return x + 1; } }
    static class ByRead { static { say("static read"); } static int x = 5; }
    static class ByWrite { static { say("static write"); } static int x; }
    static class ByForName { static { say("forName"); } }
    static class ByReflection { static { say("reflective field"); } static int x = 3; }
    static class ByHandle { static { say("method reference"); } static int f(int x) { return x * 2; } }
    static class NotByConstant { static { say("never: constant"); } static final int X = 9; }
    static class NotByArray { static { say("never: array"); } }
    static class NotByClassLiteral { static { say("never: literal"); } }
    static class NotByInstanceof { static { say("never: instanceof"); } }

    static class Parent { static { say("superclass first"); } static int inherited = 4; }
    static class Child extends Parent { static { say("then the subclass"); } }
    static class Untouched extends Parent { static { say("never: inherited field"); } }

    interface WithDefault { int X = note("interface with default method"); default int f() { return X; } }
    interface WithoutDefault { int X = note("interface without default method"); int g(); }
    static class Implements implements WithDefault, WithoutDefault { static { say("class"); } public int g() { return X(); } int X() { return WithoutDefault.X; } }

    static int note(String what) {
        say(what);
        return what.length();
    }

    static class CycleA { static int a = 1; static { say("cycle A"); a += CycleB.b; } }
    static class CycleB { static int b = 10; static { say("cycle B"); b += CycleA.a; } }

    static class Arguments { static int f(int a, int b) { return a - b; } static { say("after its arguments"); } }

    enum Level { LOW, HIGH; static { say("enum"); } }

    static class Fails { static { fail(); } static void fail() { throw new IllegalStateException("on purpose"); } static int x; static void f() { } }

    static class InLoop { static int n = 100; static { for (int i = 0; i < 10; i++) { n += i; } } int g() { return n; } }

    public static void main(String[] args) throws Exception {
        new ByNew();
        new ByNew();
        say("" + ByCall.f(1) + ByCall.f(2));
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += ByRead.x;
            ByWrite.x += i;
            sum += new InLoop().g();
        }
        say(sum + " " + NotByConstant.X + new NotByArray[2].length + NotByClassLiteral.class.getName());
        say("" + (args instanceof Object && (Object) args instanceof NotByInstanceof[]));
        Class.forName("ClassInitialisation$ByForName");
        Class.forName("ClassInitialisation$NotByClassLiteral", false, ClassInitialisation.class.getClassLoader());
        Field x = ByReflection.class.getDeclaredField("x");
        say("" + x.getInt(null));
        java.util.function.IntUnaryOperator twice = ByHandle::f;
        say("bound");
        say("" + twice.applyAsInt(4));
        say("" + Untouched.inherited);
        new Child();
        Implements object = new Implements();
        say("" + object.f() + object.g());
        say("" + CycleA.a + " " + CycleB.b);
        say("" + Arguments.f(note("left"), note("right")));
        say(Level.HIGH.name());
        for (int i = 0; i < 3; i++) {
            try {
                if (i == 0) {
                    Fails.x++;
                } else if (i == 1) {
                    Fails.f();
                } else {
                    new Fails();
                }
            } catch (ExceptionInInitializerError e) {
                say("failed: " + e.getCause().getMessage());
            } catch (NoClassDefFoundError e) {
                say("failed before");
            }
        }
    }
}
