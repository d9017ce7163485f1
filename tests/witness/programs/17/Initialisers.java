import java.util.HashMap;
import java.util.Map;

/** Static and instance initialisers, several in a class, in textual order, with loops and calls. */
public class Initialisers {
    static int order;
    static final int A = next("A");
    static final Map<String, Integer> MAP = new HashMap<>();

    static {
        for (int i = 0; i < 5; i++) {
            MAP.put("k" + i, next("s" + i));
        }
    }

    static final int CONSTANT = 42;
    static final Integer BOXED = 1000;

    int first = next("first");
    final int[] table;

    {
        table = new int[4];
        for (int i = 0; i < table.length; i++) {
            table[i] = first * i;
        }
    }

    final int last = next("last");

    Initialisers() {
        first = -1;
    }

    Initialisers(int n) {
        this();
        table[0] = n;
    }

    static int next(String what) {
        return ++order + what.length();
    }

    static class Lazy {
        static final Lazy INSTANCE = new Lazy();
        static int count = 10;
        final int seen;

        Lazy() {
            // Static initialisation is still going on.
            seen = count++;
        }
    }

    interface Constants {
        int DEPTH = next("interface");
        String NAME = "constant";
    }

    static class Uses implements Constants {
        int depth() {
            return DEPTH;
        }
    }

    public static void main(String[] args) {
        System.out.println(A + " " + MAP.get("k3") + CONSTANT + BOXED);
        System.out.println(new Initialisers().last + new Initialisers(7).table[0]);
        System.out.println(Lazy.INSTANCE.seen + " " + Lazy.count);
        System.out.println(Constants.NAME + new Uses().depth());
    }
}
