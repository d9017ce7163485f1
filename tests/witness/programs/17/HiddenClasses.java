import java.io.InputStream;
import java.lang.invoke.MethodHandles;

/** Hidden classes that a program defines itself. */
public class HiddenClasses {
    public static class Template implements Runnable {
        static int runs;

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
        byte[] bytes;
        try (InputStream in = HiddenClasses.class.getResourceAsStream("HiddenClasses$Template.class")) {
            bytes = in.readAllBytes();
        }
        for (int i = 0; i < 2; i++) {
            Class<?> hidden = MethodHandles.lookup().defineHiddenClass(bytes, true, MethodHandles.Lookup.ClassOption.NESTMATE).lookupClass();
            Runnable runnable = (Runnable) hidden.getConstructor().newInstance();
            try {
                runnable.run();
            } catch (IllegalStateException e) {
                System.out.println("thrown by a hidden class");
            }
        }
    }
}
