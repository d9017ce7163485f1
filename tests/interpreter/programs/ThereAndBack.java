/** Section 4.3.2, sunflow: floats are turned into ints, kept in an array, and turned back. */
class ThereAndBack {
    static class Matrix { int[] bits; Matrix(float[] f) { bits = new int[f.length]; for (int i = 0; i < f.length; i++) bits[i] = Float.floatToRawIntBits(f[i]); } float at(int i) { return Float.intBitsToFloat(bits[i]); } }

    public static void main(String[] args) {
        float[] values = new float[16];
        for (int i = 0; i < 16; i++) values[i] = i / 2f;
        float sum = 0;
        for (int round = 0; round < 30; round++) { Matrix m = new Matrix(values); for (int i = 0; i < 16; i++) sum += m.at(i); }
        System.out.println(sum);
    }
}
