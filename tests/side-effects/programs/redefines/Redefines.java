import java.io.IOException;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A Java agent that loads classes of all versions of class files before the program begins, and redefines
 * and retransforms them and others at random while threads use them: {@code Redefines SEED}.
 */
public final class Redefines {
    private static final int THREADS = 3;
    private static final int ROUNDS = 40;
    private static final int CALLS = 200;
    private static final int REDEFINITIONS = 12;

    /** Of the JDK, which others rewrite, too. */
    private static final List<Class<?>> OF_JDK = List.of(
        String.class, StringBuilder.class, ArrayList.class, HashMap.class, Integer.class, Thread.class, Random.class);

    private static Instrumentation instrumentation;
    private static final Map<String, byte[]> FILES = new HashMap<>();
    private static final List<Class<?>> CLASSES = new ArrayList<>();
    /** Names that somebody has asked for in vain. */
    private static final Set<String> LACKING = ConcurrentHashMap.newKeySet();

    private static Class<?>[] unlinked;

    private Redefines() {
    }

    /** Has the classes, and those that they refer to. */
    private static final class Loader extends ClassLoader {
        Loader() {
            super(Redefines.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = FILES.get(name);
            try {
                if (bytes == null && name.matches("Made\\d+(Left|Right)\\d+")) {
                    bytes = Versions.empty(name);
                }
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
            if (bytes == null) {
                LACKING.add(name);
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    /** Links classes that were only loaded so far, whenever another is loaded. */
    private static final class Links implements ClassFileTransformer {
        private int next;
        private boolean isBusy;

        @Override
        public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
            // Some get what they were shown, as from an agent that has changed nothing after all.
            byte[] result = name != null && name.hashCode() % 3 == 0 && loader != null ? bytes.clone() : null;
            if (loader instanceof Loader && type == null && !isBusy) {
                isBusy = true;
                try {
                    if (next < unlinked.length) {
                        ((Worker) unlinked[next++].getDeclaredConstructor().newInstance()).work(next);
                    }
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                } finally {
                    isBusy = false;
                }
            }
            return result;
        }
    }

    public static void premain(String options, Instrumentation given) throws Exception {
        instrumentation = given;
        Loader loader = new Loader();
        for (int major = Versions.FIRST; major <= Versions.LAST; major++) {
            String name = Versions.name(major);
            FILES.put(name, Versions.made(major, 0));
        }
        Loader other = new Loader();
        unlinked = new Class<?>[Versions.LAST - Versions.FIRST + 1];
        for (int major = Versions.FIRST; major <= Versions.LAST; major++) {
            Class<?> type = loader.loadClass(Versions.name(major));
            type.getDeclaredConstructor().newInstance();
            CLASSES.add(type);
            // A namesake that is not linked.
            unlinked[major - Versions.FIRST] = other.loadClass(Versions.name(major));
        }
        given.addTransformer(new Links(), true);
    }

    public static void main(String[] args) throws Exception {
        Random random = new Random(Long.parseLong(args[0]));
        long[] results = new long[THREADS];
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads[i] = new Thread(() -> results[number] = use(number));
            threads[i].start();
        }
        for (int i = 0; i < REDEFINITIONS; i++) {
            if (random.nextInt(4) == 0) {
                List<Class<?>> chosen = chosen(random, OF_JDK);
                chosen.addAll(chosen(random, CLASSES));
                instrumentation.retransformClasses(chosen.toArray(new Class<?>[0]));
            } else if (random.nextInt(3) == 0) {
                instrumentation.retransformClasses(chosen(random, CLASSES).toArray(new Class<?>[0]));
            } else {
                List<ClassDefinition> definitions = new ArrayList<>();
                for (Class<?> type : chosen(random, CLASSES)) {
                    int major = Integer.parseInt(type.getName().substring("Made".length()));
                    definitions.add(new ClassDefinition(type, Versions.made(major, random.nextInt(20))));
                }
                instrumentation.redefineClasses(definitions.toArray(new ClassDefinition[0]));
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long all = 0;
        for (long result : results) {
            System.out.println(result);
            all = 31 * all + result;
        }
        System.out.println(CLASSES.size() + " classes: " + all + ", alone: " + use(THREADS) + ", lacking: " + LACKING);
    }

    /** Some of the classes, but at least one. */
    private static List<Class<?>> chosen(Random random, List<Class<?>> from) {
        List<Class<?>> chosen = new ArrayList<>();
        for (Class<?> type : from) {
            if (random.nextInt(4) == 0) {
                chosen.add(type);
            }
        }
        return chosen.isEmpty() ? new ArrayList<>(List.of(from.get(random.nextInt(from.size())))) : chosen;
    }

    private static long use(int number) {
        long result = number;
        try {
            List<Worker> workers = new ArrayList<>();
            for (Class<?> type : CLASSES) {
                workers.add((Worker) type.getDeclaredConstructor().newInstance());
            }
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < workers.size(); i++) {
                    for (int call = 0; call < CALLS / workers.size(); call++) {
                        result = 31 * result + workers.get(i).work(number + round + call);
                    }
                    // Objects of the class before and of the class after a redefinition.
                    if (round % 16 == i % 16) {
                        workers.set(i, (Worker) CLASSES.get(i).getDeclaredConstructor().newInstance());
                    }
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        return result;
    }
}
