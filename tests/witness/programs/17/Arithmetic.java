/** Numbers of every type: operations, conversions, shifts, comparisons, and what the class library does with them. */
public class Arithmetic {
    static int ints(int a, int b) {
        int x = a + b * 3 - a / 7 + b % 5;
        x ^= a << 3 | b >> 2 & b >>> 1;
        x = -x + ~a;
        for (int i = 0; i < 20; i++) {
            x = x * 31 + (x >>> i) - (i & 1) * a;
        }
        return x;
    }

    static long longs(long a, long b) {
        long x = a * b + a / 9 - b % 11;
        for (int i = 0; i < 17; i++) {
            x = (x << i) ^ (x >>> 64 - i) ^ (x >> 3);
            if (x > a == b <= x) {
                x -= b;
            }
        }
        return Math.floorMod(x, 1_000_003L) + Long.compare(a, b);
    }

    static double doubles(double a, float b) {
        double x = a * b - a / b + a % b;
        for (float f = 0.5f; f < 4f; f *= 1.5f) {
            x += f > b ? f : -f;
            if (Double.isNaN(x) || x < a) {
                x = a;
            }
        }
        return x + (float) (long) x + (byte) (int) x + (short) x + (char) x;
    }

    static int narrow(int value) {
        byte b = (byte) value;
        b += 5;
        b <<= 2;
        short s = (short) (value * 3);
        s--;
        char c = (char) value;
        c++;
        return b + s + c;
    }

    static int divide(int a, int b) {
        try {
            return a / b;
        } catch (ArithmeticException e) {
            return -1;
        }
    }

    static long exact(int a) {
        long sum = 0;
        try {
            for (int i = 1; ; i *= 3) {
                sum += Math.multiplyExact(a, i);
            }
        } catch (ArithmeticException e) {
            return sum;
        }
    }

    public static void main(String[] args) {
        System.out.println(ints(1234567, -89) + " " + longs(1L << 40, 77777777777L));
        System.out.println(doubles(1234.5678, 3.25f) + " " + doubles(Double.NaN, 0f));
        System.out.println(narrow(70000) + " " + divide(7, 2) + " " + divide(7, 0) + " " + exact(12345));
        System.out.println(Integer.toHexString(Integer.reverse(77)) + " " + Integer.bitCount(12345) + " "
                + Long.numberOfTrailingZeros(4096) + " " + Integer.parseInt("-42") + " " + Double.parseDouble("1.5e3"));
        System.out.println(Math.max(3, 4) + Math.abs(-2.5) + Math.floorDiv(-7, 2) + Math.round(2.5f));
        System.out.println(Integer.divideUnsigned(-1, 7) + " " + Integer.compareUnsigned(-1, 1) + " " + Long.toString(123456789L, 36));
    }
}
