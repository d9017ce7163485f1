import java.io.InputStream;
import java.lang.invoke.MethodHandles;

/**
 * Classes that a lookup defines: they pass where hidden classes do on their way to the JVM, but
 * are not hidden.
 */
public class DefinedByLookup {
    static class Template0 implements Runnable {
        private int runs;

        @Override
        public void run() {
            for (int i = 0; i < 3; i++) {
                runs += step(i);
            }
            System.out.println(runs + " " + getClass().isHidden());
        }

        private int step(int i) {
            if (i == 2) {
                throw new IllegalStateException();
            }
            return i + 1;
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] template;
        try (InputStream in = DefinedByLookup.class.getResourceAsStream("DefinedByLookup$Template0.class")) {
            template = in.readAllBytes();
        }
        for (int i = 1; i <= 2; i++) {
            byte[] bytes = renamed(template, "Template0", "Template" + i);
            Class<?> defined = MethodHandles.lookup().defineClass(bytes);
            Runnable runnable = (Runnable) defined.getDeclaredConstructor().newInstance();
            try {
                runnable.run();
            } catch (IllegalStateException e) {
                System.out.println("thrown by " + defined.getName());
            }
        }
    }

    private static byte[] renamed(byte[] file, String from, String to) {
        byte[] bytes = file.clone();
        for (int at = 0; at + from.length() <= bytes.length; at++) {
            boolean found = true;
            for (int i = 0; i < from.length() && found; i++) {
                found = file[at + i] == from.charAt(i);
            }
            for (int i = 0; i < from.length() && found; i++) {
                bytes[at + i] = (byte) to.charAt(i);
            }
        }
        return bytes;
    }
}
