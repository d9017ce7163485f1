import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;

/**
 * Defines one class under several names, and has each do the same in a thread of that name: an
 * ordinary name, one with a character outside the BMP, and one with half of such a character.
 */
public final class Names extends ClassLoader {
    private static final String NAME = "Names$Template$1234567890";

    private static final String[] MIDDLES = {"abcdef", "\ud83d\ude00", "\ud83d", "\u00e4"};

    static final class Template$1234567890 {
        static Template$1234567890 first;
        int number;
        Template$1234567890 next;

        static void work() {
            Template$1234567890[] all = new Template$1234567890[10];
            Template$1234567890 last = null;
            for (int i = 0; i < all.length; i++) {
                Template$1234567890 made = new Template$1234567890();
                made.number = last == null ? i : last.number;
                made.next = last;
                all[i] = made;
                last = made;
            }
            first = all[0];
            if (first.number == 77) {
                first = null;
            }
            try {
                first.next.number++;
            } catch (NullPointerException expected) {
                first.number++;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] template;
        try (InputStream in = Names.class.getResourceAsStream(NAME + ".class")) {
            template = in.readAllBytes();
        }
        Names loader = new Names();
        for (String middle : MIDDLES) {
            byte[] bytes = rename(template, modified("Names$" + middle + "$"));
            Class<?> type = loader.defineClass(null, bytes, 0, bytes.length);
            Method work = type.getDeclaredMethod("work");
            work.setAccessible(true);
            Thread thread = new Thread(() -> {
                try {
                    work.invoke(null);
                } catch (ReflectiveOperationException e) {
                    throw new AssertionError(e);
                }
            }, "works " + middle);
            thread.start();
            thread.join();
        }
    }

    /** A name as class files have it, with as many letters behind it as the template's name is longer. */
    private static byte[] modified(String start) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (char c : start.toCharArray()) {
            if (c < 0x80) {
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
        while (bytes.size() < NAME.length()) {
            bytes.write('z');
        }
        return bytes.toByteArray();
    }

    private static byte[] rename(byte[] file, byte[] name) {
        byte[] old = NAME.getBytes(StandardCharsets.US_ASCII);
        byte[] renamed = file.clone();
        for (int at = 0; at + old.length <= renamed.length; at++) {
            if (java.util.Arrays.equals(file, at, at + old.length, old, 0, old.length)) {
                System.arraycopy(name, 0, renamed, at, name.length);
            }
        }
        return renamed;
    }
}
