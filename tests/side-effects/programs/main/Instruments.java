import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;

/** A Java agent that redefines and retransforms classes while objects of them live, and what it finds then. */
public final class Instruments {
    private static Instrumentation instrumentation;

    private Instruments() {
    }

    public static void premain(String options, Instrumentation given) {
        instrumentation = given;
        // Sees all classes and changes none.
        given.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
                return null;
            }
        }, true);
    }

    static class Kept {
        int number = 1;
        String text = "two";
        private long wide = 3;
        static int shared = 4;

        String say() {
            return number + text + wide + shared;
        }
    }

    static final class Below extends Kept {
        Object more = "five";
    }

    public static void main(String[] args) throws Exception {
        Below kept = new Below();
        kept.number = 11;
        System.out.println(kept.say() + kept.more);
        redefine(Kept.class);
        redefine(Below.class);
        System.out.println(kept.say() + kept.more);
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (instrumentation.isModifiableClass(type) && !type.isArray() && type.getName().startsWith("Instruments")) {
                classes.add(type);
            }
        }
        for (Class<?> type : List.of(java.util.ArrayList.class, java.util.HashMap.class, String.class, Integer.class, Thread.class, Object.class)) {
            classes.add(type);
        }
        instrumentation.retransformClasses(classes.toArray(Class<?>[]::new));
        System.out.println(kept.say() + kept.more + " " + classes.size());
        for (Class<?> type : List.of(Kept.class, Below.class)) {
            for (Field field : type.getDeclaredFields()) {
                System.out.println(field);
            }
        }
        Class<?>[] initiated = instrumentation.getInitiatedClasses(Instruments.class.getClassLoader());
        for (Class<?> type : initiated) {
            if (type.getName().contains("ubsume")) {
                System.out.println("FOUND " + type);
            }
        }
    }

    private static void redefine(Class<?> type) throws Exception {
        try (InputStream in = Instruments.class.getResourceAsStream(type.getName() + ".class")) {
            instrumentation.redefineClasses(new ClassDefinition(type, in.readAllBytes()));
        }
    }
}
