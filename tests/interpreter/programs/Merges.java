/** The same variable from different places, joined by branches and loops. */
class Merges {
    int a = 1, b = 2, c;
    Object x = new Object(), y = new int[1], z;

    void choose(int n) {
        int chosen;
        Object which;
        if (n % 2 == 0) { chosen = a; which = x; } else { chosen = b; which = y; }
        c = chosen;
        z = which;
    }

    void loop(int n) {
        int carried = a;
        Object o = x;
        while (n-- > 0) {
            c = carried;
            z = o;
            if (n == 2) { carried = b; o = y; }
            if (n == 1) { carried = 7; o = null; }
        }
    }

    int nested(int n) {
        int result = 0;
        for (int i = 0; i < n; i++) {
            int v = i < 1 ? a : i < 2 ? b : i;
            for (int j = 0; j < 2; j++) {
                c = v;
                if (j == 1) continue;
                v = c;
            }
            result = v;
        }
        return result;
    }

    public static void main(String[] args) {
        Merges m = new Merges();
        for (int i = 0; i < 5; i++) m.choose(i);
        m.loop(5);
        System.out.println(m.nested(4) + m.c);
    }
}
