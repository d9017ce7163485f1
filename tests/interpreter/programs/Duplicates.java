/** All forms of dup: assignments as expressions, increments of fields and elements. */
class Duplicates {
    int i, k; long j, m; Object o, p; static int s; static long w;
    int[] ints = new int[3]; long[] longs = new long[3]; Object[] objects = new Object[3];

    int chain(int[] from, long[] wide, Object[] others) {
        i = k = from[0];
        j = m = wide[0];
        o = p = others[0];
        s = i = from[1];
        w = j = wide[1];
        ints[0] = ints[1] = from[2];
        longs[0] = longs[1] = wide[2];
        objects[0] = objects[1] = others[1];
        int old = i++;
        long before = j++;
        int element = ints[0]++;
        long other = longs[1]++;
        ints[2] = i++;
        longs[2] = ++j;
        k = s++;
        m = w--;
        ints[1] += 2;
        longs[0] <<= 1;
        return old + (int) before + element + (int) other;
    }

    public static void main(String[] args) {
        Duplicates d = new Duplicates();
        int r = d.chain(new int[] {1, 2, 3}, new long[] {4, 5, 6}, new Object[] {d, args});
        System.out.println(r + d.i + d.k + " " + d.j + " " + d.m + " " + s + " " + w);
    }
}
