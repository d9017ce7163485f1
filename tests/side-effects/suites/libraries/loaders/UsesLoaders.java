import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** The same class by 20,000 loaders, a few of which stay. */
public final class UsesLoaders {
    private UsesLoaders() {
    }

    static final class Loads extends ClassLoader {
        private final byte[] bytes;

        Loads(byte[] bytes) {
            super(UsesLoaders.class.getClassLoader());
            this.bytes = bytes;
        }

        Class<?> define() {
            return defineClass("Copied", bytes, 0, bytes.length);
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes = bytes();
        List<IntUnaryOperator> kept = new ArrayList<>();
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            Class<?> type = new Loads(bytes).define();
            IntUnaryOperator made = (IntUnaryOperator) type.getConstructor().newInstance();
            sum = sum * 31 + made.applyAsInt(i) + made.toString().length();
            if (i % 500 == 0) {
                kept.add(made);
            }
        }
        for (IntUnaryOperator made : kept) {
            sum = sum * 31 + made.applyAsInt(7) + made.toString().hashCode();
        }
        System.out.println("loaders " + sum);
    }

    private static byte[] bytes() throws IOException {
        try (InputStream in = UsesLoaders.class.getResourceAsStream("Copied.class")) {
            return in.readAllBytes();
        }
    }
}
