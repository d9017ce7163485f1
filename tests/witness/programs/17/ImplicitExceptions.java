import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** Exceptions that the JVM throws by itself, by instructions in the middle of straight code. */
public class ImplicitExceptions {
    int field;
    Object next;
    static int before;
    static int after;

    interface Shape {
        int area();
    }

    static int act(int kind, Object object, int[] array, Object[] objects, int index) {
        before++;
        int x = 0;
        switch (kind) {
            case 0:
                x = ((ImplicitExceptions) object).field + 3;
                break;
            case 1:
                x = array[index] * 2 + array.length;
                break;
            case 2:
                array[index] = x + 5;
                break;
            case 3:
                x = array[0] / index + array[0] % index;
                break;
            case 4:
                objects[0] = object;
                break;
            case 5:
                x = new int[index].length + 1;
                break;
            case 6:
                synchronized (object) {
                    x = 7;
                }
                break;
            case 7:
                ((ImplicitExceptions) object).field = x + index;
                break;
            case 8:
                x = ((ImplicitExceptions) object).next.hashCode() + 1;
                break;
            case 9:
                x = ((Shape) object).area();
                break;
            case 10:
                throw (RuntimeException) object;
            case 11:
                x = new int[2][index][3].length;
                break;
            case 12:
                x = (int) (5L % index + 7L / index);
                break;
            default:
                object.notify();
        }
        after++;
        return x;
    }

    static void attempt(int kind, Object object, int index) {
        Object[] objects = kind == 4 ? new String[1] : null;
        for (int round = 0; round < 3; round++) {
            try {
                System.out.print(act(kind, object, round == 2 ? null : new int[3], objects, index));
            } catch (RuntimeException e) {
                System.out.print(e.getClass().getSimpleName());
            }
            System.out.print(' ');
        }
    }

    static int modified() {
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3, 4));
        int seen = 0;
        try {
            for (Integer x : list) {
                seen += x;
                if (x == 2) {
                    list.remove(x);
                }
            }
        } catch (java.util.ConcurrentModificationException e) {
            seen += 100;
        }
        Iterator<Object> none = Collections.emptyIterator();
        try {
            none.next();
        } catch (java.util.NoSuchElementException e) {
            seen += 1000;
        }
        try {
            Collections.unmodifiableList(list).add(3);
        } catch (UnsupportedOperationException e) {
            seen += 10000;
        }
        try {
            return Integer.parseInt("x" + seen);
        } catch (NumberFormatException e) {
            return seen;
        }
    }

    public static void main(String[] args) {
        for (int kind = 0; kind < 14; kind++) {
            attempt(kind, null, 1);
            attempt(kind, kind == 10 ? new IllegalStateException() : new ImplicitExceptions(), kind == 5 || kind == 11 ? -1 : 0);
            attempt(kind, "text", 5);
            System.out.println();
        }
        System.out.println(before + " " + after + " " + modified());
    }
}
