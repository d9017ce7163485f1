import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** Generic classes, covariant returns, and the bridge methods that the compiler makes for them. */
public class Bridges {
    interface Source<T> {
        T get(int i);

        default <R> Source<R> map(Function<? super T, ? extends R> f) {
            return i -> f.apply(get(i));
        }
    }

    abstract static class Node<T extends Comparable<T>> implements Comparable<Node<T>>, Source<T> {
        T value;

        void set(T value) {
            this.value = value;
        }

        @Override
        public int compareTo(Node<T> other) {
            return value.compareTo(other.value);
        }

        abstract Node<T> copy();
    }

    static class IntNode extends Node<Integer> implements Cloneable {
        @Override
        void set(Integer value) {
            super.set(value + 1);
        }

        @Override
        public Integer get(int i) {
            return value * i;
        }

        @Override
        IntNode copy() {
            IntNode copy = new IntNode();
            copy.value = value;
            return copy;
        }

        @Override
        protected IntNode clone() throws CloneNotSupportedException {
            return (IntNode) super.clone();
        }
    }

    @SafeVarargs
    static <T extends Comparable<? super T>> T largest(T first, T... others) {
        T largest = first;
        for (T other : others) {
            if (other.compareTo(largest) > 0) {
                largest = other;
            }
        }
        return largest;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) throws Exception {
        List<Node<Integer>> nodes = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Node<Integer> node = new IntNode();
            node.set(i * 5 % 7);
            nodes.add(i % 2 == 0 ? node : node.copy());
        }
        Collections.sort(nodes);
        System.out.println(nodes.get(3).value + nodes.get(3).map(x -> "x" + x).get(2) + largest(3, 9, 4) + largest("a", "b"));
        System.out.println(new IntNode().clone().value);
        try {
            ((Node) nodes.get(0)).set("not a number");
        } catch (ClassCastException e) {
            System.out.println("caught by the bridge");
        }
    }
}
