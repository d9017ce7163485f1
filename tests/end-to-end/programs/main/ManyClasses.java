import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Has more classes than the JVM gives room for local references, and waits until a file is there. */
public final class ManyClasses extends ClassLoader {
    /** What there are many copies of. */
    public static final class C00000 {
        public static int next(int value) {
            return value + 1;
        }
    }

    public static void main(String[] args) throws Exception {
        ManyClasses loader = new ManyClasses();
        byte[] bytes;
        try (InputStream in = ManyClasses.class.getResourceAsStream("ManyClasses$C00000.class")) {
            bytes = in.readAllBytes();
        }
        String pattern = new String(bytes, StandardCharsets.ISO_8859_1);
        int sum = 0;
        for (int i = 1; i <= Integer.parseInt(args[1]); i++) {
            String name = String.format("C%05d", i);
            byte[] copy = pattern.replace("C00000", name).getBytes(StandardCharsets.ISO_8859_1);
            Class<?> made = loader.defineClass("ManyClasses$" + name, copy, 0, copy.length);
            sum = (Integer) made.getMethod("next", int.class).invoke(null, sum);
        }
        System.out.println("ready");
        while (!Files.exists(Path.of(args[0]))) {
            Thread.sleep(5);
        }
        System.out.println(sum);
    }
}
