import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Every way in which an object comes into being. */
public final class Kinds {
    private final int number;

    Kinds(int number) {
        this.number = number;
    }

    /** Each constructor of the chain makes other objects before it calls the next one. */
    static class Base {
        final Object made;

        Base(Object made) {
            this.made = made;
        }
    }

    static class Derived extends Base {
        Derived() {
            this(new StringBuilder("x"));
        }

        Derived(StringBuilder builder) {
            super(new Kinds(builder.append(new int[2].length).length()));
        }

        Derived(boolean fails) {
            super(fail(fails));
        }

        static Object fail(boolean fails) {
            if (fails) {
                throw new IllegalStateException();
            }
            return null;
        }
    }

    /** Has a field that is set before the constructor of the superclass is called. */
    class Inner {
        int outer() {
            return number;
        }
    }

    record Pair(Object left, Object right) {
    }

    enum Colour {
        RED, GREEN
    }

    static class Copied implements Cloneable {
        int[] numbers = {1, 2};

        @Override
        public Copied clone() {
            try {
                Copied copy = (Copied) super.clone();
                Tags.in("Clone", "Kinds$Copied", "Kinds$Copied.clone", copy);
                copy.numbers = numbers.clone();
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static class Sent implements Serializable {
        private static final long serialVersionUID = 1;
        int[] content = {1};
    }

    static class Initialised {
        static final Object CONSTANT = new Object();
    }

    static Object notInlined(int value) {
        return Integer.valueOf(value);
    }

    private Supplier<Object> capturing() {
        return () -> this;
    }

    public static void main(String[] args) throws Exception {
        Tags.here("New", "Kinds", new Kinds(1));
        Tags.here("New", "java.lang.Object", new Object());
        Tags.here("New", "java.lang.String", new String("text"));
        Tags.here("New", "java.util.ArrayList", new ArrayList<>(3));
        Tags.here("New", "Kinds$Pair", new Pair(new Object(), args.length == 0 ? new Kinds(2) : null));
        Tags.here("New", "Kinds$Inner", new Kinds(3).new Inner());
        Tags.here("New", "Kinds$1", new Object() { });
        Tags.here("New", "java.lang.Thread", new Thread("never started"));
        Derived derived = new Derived();
        Tags.in("New", "Kinds$Derived", "Kinds.main", derived);
        Tags.in("New", "Kinds", "Kinds$Derived.<init>", derived.made);
        try {
            new Derived(true);
        } catch (IllegalStateException e) {
            Tags.in("New", "java.lang.IllegalStateException", "Kinds$Derived.fail", e);
        }
        // What was meant for the object that failed must not get to this one.
        Tags.in("Untracked", "Kinds$Derived", "", Derived.class.getDeclaredConstructor(boolean.class).newInstance(false));

        Tags.here("Array", "boolean[]", new boolean[1]);
        Tags.here("Array", "byte[]", new byte[1]);
        Tags.here("Array", "char[]", new char[1]);
        Tags.here("Array", "short[]", new short[1]);
        Tags.here("Array", "int[]", new int[] {1, 2, 3});
        Tags.here("Array", "long[]", new long[0]);
        Tags.here("Array", "float[]", new float[1]);
        Tags.here("Array", "double[]", new double[1]);
        Tags.here("Array", "java.lang.String[]", new String[] {"a"});
        Tags.here("Array", "int[][][]", new int[2][3][]);
        Tags.here("Array", "int[][][]", (new int[2][3][])[1]);
        Tags.here("Array", "int[][][]", (new int[2][3][4])[1][2]);
        Tags.here("Array", "int[][]", new int[2][]);

        Copied copied = new Copied().clone();
        Tags.in("Clone", "Kinds$Copied", "Kinds$Copied.clone", copied);
        Tags.in("Clone", "int[]", "Kinds$Copied.clone", copied.numbers);
        Tags.here("Clone", "int[]", new int[] {1}.clone());
        Tags.in("Clone", "java.util.ArrayList", "java.util.ArrayList.clone", new ArrayList<>().clone());
        Tags.in("Clone", "Kinds$Colour[]", "Kinds$Colour.values", Colour.values());
        Tags.in("New", "Kinds$Colour", "Kinds$Colour.<clinit>", Colour.GREEN);
        Tags.in("New", "java.lang.Object", "Kinds$Initialised.<clinit>", Initialised.CONSTANT);

        int one = args.length + 1;
        for (int i = 0; i < 3; i++) {
            Tags.here("Concat", "java.lang.String", "a" + one + i);
            Tags.here("Lambda", "java.util.function.IntUnaryOperator", (IntUnaryOperator) x -> x + one);
            Tags.here("Lambda", "java.util.function.IntUnaryOperator", (IntUnaryOperator) x -> x);
            Tags.here("Lambda", "java.util.function.Supplier", (Supplier<Object>) Object::new);
        }
        Tags.in("Lambda", "java.util.function.Supplier", "Kinds.capturing", new Kinds(5).capturing());
        Tags.in("New", "java.lang.Integer", "java.lang.Integer.valueOf", notInlined(1000));
        Tags.in("New", "java.lang.Long", "java.lang.Long.valueOf", Long.valueOf(1000));
        Tags.in("New", "java.lang.Double", "java.lang.Double.valueOf", Double.valueOf(1000));
        Tags.in("New", "java.util.HashMap$Node", "java.util.HashMap.newNode", new java.util.HashMap<>(java.util.Map.of(1, 2)).entrySet().iterator().next());
        Tags.in("Array", "java.lang.Object[]", "java.util.ArrayList.toArray".isEmpty() ? "" : "java.util.Arrays.copyOf", new ArrayList<>(List.of(1, 2)).toArray());

        Tags.in("Untracked", "Kinds", "", Kinds.class.getDeclaredConstructor(int.class).newInstance(7));
        Tags.in("Untracked", "int[]", "", Array.newInstance(int.class, 3));
        Tags.in("Untracked", "java.lang.String", "", "a literal");
        Tags.in("Untracked", "java.lang.Class", "", Kinds.class);
        Tags.in("Untracked", "java.lang.String[]", "", args);
        Tags.in("Untracked", "Kinds$Sent", "", copyOf(new Sent()));
        try {
            Object nothing = args.length == 0 ? null : args;
            nothing.hashCode();
        } catch (NullPointerException e) {
            Tags.in("Untracked", "java.lang.NullPointerException", "", e);
        }
        // Handlers in proxies do not mention their receiver; the second call has a context.
        Supplier<?> proxy = (Supplier<?>) Proxy.newProxyInstance(Kinds.class.getClassLoader(), new Class<?>[] {Supplier.class}, (self, method, arguments) -> {
            throw new java.io.IOException();
        });
        try {
            proxy.get();
        } catch (UndeclaredThrowableException e) {
            String method = e.getStackTrace()[0].getClassName().startsWith("java") ? e.getStackTrace()[1].getClassName() : e.getStackTrace()[0].getClassName();
            Tags.in("New", "java.lang.reflect.UndeclaredThrowableException", method + ".get", e);
        }
        System.out.println(Tags.of(null) + " is the tag of null");
    }

    private static Object copyOf(Object object) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }
}
