import java.util.ArrayList;
import java.util.List;
import org.apache.tools.ant.util.IdentityStack;
import org.apache.tools.ant.util.VectorSet;

/** Bugs of Ant, with 60 elements each. */
public class Cases {
    public static void main(String[] args) {
        System.out.println(switch (args[0]) {
            case "IdentityStack.removeAll" -> removeAll(strings("in "), strings("out "));
            case "VectorSet.add" -> fill(strings("in "));
            default -> throw new IllegalArgumentException(args[0]);
        });
    }

    private static List<Object> strings(String prefix) {
        List<Object> strings = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            strings.add(prefix + i);
        }
        return strings;
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    private static int removeAll(List<Object> in, List<Object> out) {
        IdentityStack stack = new IdentityStack();
        in.forEach(stack::push);
        stack.removeAll(out);
        return stack.size();
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    private static int fill(List<Object> elements) {
        VectorSet set = new VectorSet();
        for (Object element : elements) {
            set.add(element);
        }
        return set.size();
    }
}
