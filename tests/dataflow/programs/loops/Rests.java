/** A loop that goes on long after it has been judged for as many accesses as it may, and one within. */
public class Rests {
    static final int[] KNOWN = new int[40];

    static {
        for (int i = 0; i < KNOWN.length; i++) {
            KNOWN[i] = 1000 + i;
        }
    }

    public static void main(String[] arguments) {
        int found = 0;
        for (int round = 0; round < 500; round++) {
            found += search(round);
            if (round == 400) {
                found += late();
            }
        }
        System.out.println(found);
    }

    /** One access, and 40 reads. */
    static int search(int wanted) {
        for (int known : KNOWN) {
            if (known == wanted) {
                return 1;
            }
        }
        return 0;
    }

    static int late() {
        int found = 0;
        for (int i = 0; i < 30; i++) {
            found += search(-i);
        }
        return found;
    }
}
