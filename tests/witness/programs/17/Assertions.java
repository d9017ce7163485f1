/** Assertions, switched on, and other things that the compiler adds to the code. */
public class Assertions {
    static int checked(int n) {
        assert n < 5 : "n is " + n;
        return n;
    }

    static Integer boxes(Integer a, Character c, Long l) {
        int sum = a + c;
        sum += l;
        a++;
        return sum > 100 ? a : (Integer) sum;
    }

    static long compound(long[] array, int i) {
        array[i++] += 5;
        array[i] <<= i++;
        return array[0] + i;
    }

    static boolean logic(boolean a, boolean b, boolean c) {
        return a && (b || !c) ^ (c ? a : b) & !(a | b);
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 8; i++) {
            try {
                sum += checked(i);
            } catch (AssertionError e) {
                sum += e.getMessage().length();
            }
            sum += boxes(i * 60, 'c', 200L);
            sum += logic((i & 1) == 0, (i & 2) == 0, (i & 4) == 0) ? 1 : 0;
        }
        System.out.println(sum + compound(new long[3], 0));
    }
}
