import java.util.Enumeration;
import java.util.Hashtable;
import java.util.Vector;

/** Compiled for Java 1.3: finally blocks are subroutines, class literals are looked up by name. */
public class OneThree {
    static int trace;

    static int subroutines(int way) {
        for (int i = 0; i < 4; i++) {
            try {
                if (i == way) {
                    continue;
                }
                if (way == 10 + i) {
                    return i;
                }
                if (way == 20 + i) {
                    throw new IllegalStateException("way " + way);
                }
                trace += i;
            } finally {
                try {
                    trace++;
                    if (way == 30 + i) {
                        trace = 100 / (i - i);
                    }
                } finally {
                    trace += 10;
                }
            }
        }
        return -1;
    }

    static Object literals() {
        return new Object[] {OneThree.class, Vector.class, int[].class};
    }

    synchronized int member(int n) {
        synchronized (this) {
            return n == 0 ? 1 : n * new OneThree().member(n - 1);
        }
    }

    public static void main(String[] args) {
        int[] ways = {0, 3, 9, 11, 13, 21, 30, 32};
        for (int i = 0; i < ways.length; i++) {
            try {
                System.out.println(subroutines(ways[i]));
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            } catch (ArithmeticException e) {
                System.out.println("divided");
            }
        }
        System.out.println(trace + " " + ((Object[]) literals()).length + " " + new OneThree().member(5));
        Hashtable table = new Hashtable();
        Vector vector = new Vector();
        for (int i = 0; i < 5; i++) {
            vector.addElement(new Integer(i));
            table.put("k" + i, vector.clone());
        }
        int size = 0;
        for (Enumeration all = table.elements(); all.hasMoreElements();) {
            size += ((Vector) all.nextElement()).size();
        }
        System.out.println(size);
    }
}
