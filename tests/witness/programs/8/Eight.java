import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compiled for Java 8: strings put together with builders, access methods for private members of inner classes. */
public class Eight {
    private int hidden = 3;

    class Inner {
        private int own = hidden++;

        private int sum() {
            return own + hidden + secret();
        }
    }

    private int secret() {
        return hidden * 2;
    }

    interface Greeter {
        String greet(String name);

        default Greeter twice() {
            return name -> greet(greet(name));
        }
    }

    static String text(int n, Object o) {
        String text = "n" + n + o;
        text += 'c';
        return text + 1.5;
    }

    public static void main(String[] args) {
        Eight eight = new Eight();
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            Inner inner = eight.new Inner();
            sum += inner.sum() + inner.own;
        }
        System.out.println(sum + text(5, "x") + text(6, null));
        Greeter greeter = name -> "hello " + name;
        System.out.println(greeter.twice().greet("you"));
        Map<String, List<Integer>> map = new HashMap<>();
        for (int i = 0; i < 6; i++) {
            map.computeIfAbsent("k" + i % 2, key -> new ArrayList<>()).add(i);
        }
        System.out.println(map + Optional.of(3).map(x -> x + 1).orElse(0).toString());
        try {
            switch (map.keySet().iterator().next()) {
                case "k0":
                    throw new IllegalStateException("k0");
                default:
                    System.out.println("k1");
            }
        } catch (IllegalStateException | IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
