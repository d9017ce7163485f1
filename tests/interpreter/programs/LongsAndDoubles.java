/** Values of two words, through locals that overlap, and conversions, which end a flow. */
class LongsAndDoubles {
    long[] longs = {1, 2, 3};
    double[] doubles = {0.5, 1.5};
    long l; double d; int i; float f;

    static double mix(long a, double b, int c, float e, long g) {
        double r = b;
        if (c > 1) { long t = g; r = t; }
        return r;
    }

    void copy() {
        { long t = longs[0]; l = t; }
        { double t = doubles[0]; d = t; }
        { int t = (int) l; i = t; }
        { float t = (float) d; f = t; }
        longs[1] = l;
        longs[2] = (long) i;
        doubles[1] = mix(l, d, i, f, longs[1]);
        d = mix(l, doubles[1], 5, f, longs[0]);
        longs[0]++;
        doubles[0] += d;
    }

    public static void main(String[] args) {
        LongsAndDoubles x = new LongsAndDoubles();
        x.copy();
        x.copy();
        System.out.println(x.l + " " + x.d + " " + x.longs[0] + " " + x.doubles[0]);
    }
}
