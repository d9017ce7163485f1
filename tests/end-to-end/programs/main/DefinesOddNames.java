import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;

/**
 * Defines classes with names that the Java language does not know but the JVM does: copies of
 * {@link Template}, in whose class files the name was replaced by another one of the same length.
 */
public final class DefinesOddNames extends ClassLoader {
    private static final String NAME = "DefinesOddNames$Template$123456";

    static final class Template$123456 implements Runnable {
        static int calls;

        @Override
        public void run() {
            oddly$named$123456();
        }

        private static void oddly$named$123456() {
            calls++;
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] template = read(NAME + ".class");
        String[] middles = {"\n", "\t", " ", "\"", "\\", "\u0001", "\u007f", "ä", "\u2028", "\ud83d\ude00", "(I)", ",", "`", "%s", "\u0000", "\ud800"};
        DefinesOddNames loader = new DefinesOddNames();
        for (int i = 0; i < middles.length; i++) {
            byte[] odd = replace(template, NAME, fill("Odd" + (char) ('A' + i) + middles[i], NAME.length()));
            odd = replace(odd, "oddly$named$123456", fill("m" + middles[i].replace('(', '~').replace(')', '~'), 18));
            Class<?> type = loader.defineClass(null, odd, 0, odd.length);
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            Runnable instance = (Runnable) constructor.newInstance();
            for (int call = 0; call <= i; call++) {
                instance.run();
            }
        }
        System.out.println(middles.length + " odd classes");
    }

    /** Makes a name so long that it has this length in the class file. */
    private static byte[] fill(String start, int length) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (char c : start.toCharArray()) {
            if (c != 0 && c < 0x80) {
                bytes.write(c);
            } else if (c < 0x800) {
                bytes.write(0xc0 | c >> 6);
                bytes.write(0x80 | c & 0x3f);
            } else {
                bytes.write(0xe0 | c >> 12);
                bytes.write(0x80 | c >> 6 & 0x3f);
                bytes.write(0x80 | c & 0x3f);
            }
        }
        while (bytes.size() < length) {
            bytes.write('z');
        }
        return bytes.toByteArray();
    }

    private static byte[] replace(byte[] file, String what, byte[] by) {
        byte[] old = what.getBytes(StandardCharsets.US_ASCII);
        byte[] copy = file.clone();
        for (int at = 0; at + old.length <= copy.length; at++) {
            boolean found = true;
            for (int i = 0; i < old.length && found; i++) {
                found = file[at + i] == old[i];
            }
            if (found) {
                System.arraycopy(by, 0, copy, at, by.length);
            }
        }
        return copy;
    }


    private static byte[] read(String resource) throws IOException {
        try (InputStream in = DefinesOddNames.class.getResourceAsStream(resource)) {
            return in.readAllBytes();
        }
    }
}
