import java.io.IOException;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Prints one line for each class of the modules that are named: what reflection shows of it, as
 * numbers of members and a hash of all their descriptions, and the serialVersionUID that the class
 * has or gets by default. {@code all} names every module of the image.
 */
public final class DumpsMembers {
    private DumpsMembers() {
    }

    public static void main(String[] args) throws IOException {
        for (String name : classes(args[0])) {
            try {
                Class<?> found = Class.forName(name, false, ClassLoader.getSystemClassLoader());
                System.out.println(name + " " + describe(found));
            } catch (LinkageError | ClassNotFoundException missing) {
                // Some classes of the image are for other systems.
                System.out.println(name + " " + missing.getClass().getName());
            }
        }
        for (Class<?> other : new Class<?>[] {int[].class, Object[][].class, int.class, proxy().getClass(), DumpsMembers.class}) {
            System.out.println(other.getSimpleName() + " " + describe(other));
        }
    }

    private static List<String> classes(String module) throws IOException {
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.walk(module.equals("all") ? modules : modules.resolve(module))) {
            files.filter(file -> file.toString().endsWith(".class") && !file.endsWith("module-info.class"))
                .forEach(file -> {
                    String path = file.subpath(2, file.getNameCount()).toString();
                    names.add(path.substring(0, path.length() - ".class".length()).replace('/', '.'));
                });
        }
        names.sort(null);
        return names;
    }

    private static String describe(Class<?> described) {
        List<String> texts = new ArrayList<>();
        texts.add(Modifier.toString(described.getModifiers()));
        String counts = add(texts, described::getDeclaredFields) + " " + add(texts, described::getDeclaredMethods)
            + " " + add(texts, described::getDeclaredConstructors) + " " + add(texts, described::getFields)
            + " " + add(texts, described::getMethods) + " " + add(texts, described::getConstructors)
            + " " + add(texts, described::getDeclaredClasses) + " " + add(texts, described::getInterfaces)
            + " " + add(texts, described::getRecordComponents);
        // An order that does not depend on addresses in the JVM.
        texts.sort(null);
        if (texts.toString().contains("subsume")) {
            System.out.println("FOUND in " + texts);
        }
        return counts + " " + Integer.toHexString(texts.hashCode()) + serialVersion(described);
    }

    private static String serialVersion(Class<?> described) {
        if (!Serializable.class.isAssignableFrom(described) || described.getName().contains("awt")
                || described.getName().contains("swing")) {
            // Looking at classes of the window system would start it.
            return "";
        }
        try {
            ObjectStreamClass stream = ObjectStreamClass.lookup(described);
            return stream == null ? " none" : " " + stream.getSerialVersionUID() + Arrays.toString(stream.getFields());
        } catch (Throwable failed) {
            return " " + failed.getClass().getName();
        }
    }

    private static <T> String add(List<String> texts, Callable<T[]> ask) {
        T[] members;
        try {
            members = ask.call();
        } catch (Exception | LinkageError refused) {
            return refused.getClass().getSimpleName();
        }
        if (members == null) {
            return "-";
        }
        for (T member : members) {
            String flags = member instanceof Member m ? Integer.toHexString(m.getModifiers()) + m.isSynthetic() + " " : "";
            texts.add(flags + member + (member instanceof AnnotatedElement element ? annotations(element) : ""));
        }
        return Integer.toString(members.length);
    }

    private static List<String> annotations(AnnotatedElement element) {
        List<String> names = new ArrayList<>();
        for (Annotation annotation : element.getAnnotations()) {
            String name = annotation.annotationType().getSimpleName();
            // The one that an exact recording has to take from methods of the JDK.
            if (!name.equals("IntrinsicCandidate")) {
                names.add(name);
            }
        }
        return names;
    }

    private static Object proxy() {
        return Proxy.newProxyInstance(DumpsMembers.class.getClassLoader(), new Class<?>[] {Runnable.class, Comparable.class},
            (self, method, arguments) -> null);
    }
}
