import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;

/** What programs do with iterators, rightly and wrongly; each method obtains or makes its own. */
public class UsesIterators {
    /** An interface that is loaded after the class that implements it first. */
    interface Sized extends Iterator<Integer> {
        int size();
    }

    static class Numbers implements Sized {
        private int next;

        @Override
        public int size() {
            return 4;
        }

        @Override
        public boolean hasNext() {
            return next < size();
        }

        @Override
        public Integer next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return next++;
        }
    }

    private static final List<String> NAMES = new ArrayList<>(Arrays.asList("a", "b", "c", "d", "e"));

    public static void main(String[] arguments) {
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += goesThrough();
        }
        System.out.println(sum + numbers());
        removesFirst();
        removesTwice();
        removesAll();
        goesTooFar();
        asksNobody();
        goesBack();
        enumerates();
        System.out.println(uses(hands()));
        System.out.println(generated());
    }

    private static int goesThrough() {
        int sum = 0;
        for (String name : NAMES) {
            sum += name.length();
        }
        return sum;
    }

    private static int numbers() {
        Numbers numbers = new Numbers();
        int sum = 0;
        while (numbers.hasNext()) {
            sum += numbers.next();
        }
        try {
            numbers.next();
        } catch (NoSuchElementException e) {
            System.out.println("no more");
        }
        return sum;
    }

    private static void removesFirst() {
        Iterator<String> names = NAMES.iterator();
        try {
            names.remove();
        } catch (IllegalStateException e) {
            System.out.println("nothing to remove");
        }
    }

    private static void removesTwice() {
        Iterator<String> names = new ArrayList<>(NAMES).iterator();
        names.next();
        names.remove();
        try {
            names.remove();
        } catch (IllegalStateException e) {
            System.out.println("removed already");
        }
    }

    private static void removesAll() {
        Iterator<String> names = new ArrayList<>(NAMES).iterator();
        while (names.hasNext()) {
            names.next();
            names.remove();
        }
    }

    private static void goesTooFar() {
        Iterator<String> names = Collections.<String>emptyList().iterator();
        if (!names.hasNext()) {
            try {
                names.next();
            } catch (NoSuchElementException e) {
                System.out.println("too far");
            }
        }
    }

    private static void asksNobody() {
        System.out.println(NAMES.iterator().next());
    }

    private static void goesBack() {
        ListIterator<String> names = NAMES.listIterator();
        while (names.hasNext()) {
            names.next();
        }
        while (names.hasPrevious()) {
            names.previous();
        }
        names.next();
    }

    private static void enumerates() {
        Enumeration<String> names = Collections.enumeration(NAMES);
        while (names.hasMoreElements()) {
            names.nextElement();
        }
        try {
            names.nextElement();
        } catch (NoSuchElementException e) {
            System.out.println("too far");
        }
    }

    private static Iterator<String> hands() {
        return NAMES.iterator();
    }

    private static String uses(Iterator<String> names) {
        names.next();
        return names.next();
    }

    /** The class of the iterator is generated at run time. */
    private static boolean generated() {
        Iterator<?> none = (Iterator<?>) java.lang.reflect.Proxy.newProxyInstance(
                UsesIterators.class.getClassLoader(), new Class<?>[] {Iterator.class},
                (proxy, method, given) -> method.getName().equals("hasNext") ? Boolean.FALSE : null);
        boolean has = none.hasNext();
        none.next();
        return has;
    }
}
