import java.util.Arrays;

/** Arrays of every element type and dimension. */
public class ArrayKinds {
    static int fill(boolean[] z, byte[] b, char[] c, short[] s, int[] i, long[] l, float[] f, double[] d, Object[] o) {
        for (int k = 0; k < z.length; k++) {
            z[k] = k % 2 == 0;
            b[k] = (byte) (k * 50);
            c[k] = (char) ('a' + k);
            s[k] -= k;
            i[k] ^= k << 20;
            l[k] += 1L << k + 30;
            f[k] = k / 3f;
            d[k]++;
            o[k] = k % 3 == 0 ? null : (Object) c[k];
        }
        int sum = 0;
        for (int k = 0; k < z.length; k++) {
            sum += (z[k] ? 1 : 0) + b[k] + c[k] + s[k] + (int) (i[k] + l[k]) + (int) (f[k] + d[k]) + (o[k] == null ? 1 : 0);
        }
        return sum;
    }

    static int[][] pascal(int n) {
        int[][] rows = new int[n][];
        for (int i = 0; i < n; i++) {
            rows[i] = new int[i + 1];
            rows[i][0] = rows[i][i] = 1;
            for (int j = 1; j < i; j++) {
                rows[i][j] = rows[i - 1][j - 1] + rows[i - 1][j];
            }
        }
        return rows;
    }

    public static void main(String[] args) {
        int n = 9;
        System.out.println(fill(new boolean[n], new byte[n], new char[n], new short[n], new int[n], new long[n], new float[n], new double[n], new Object[n]));
        System.out.println(Arrays.toString(pascal(7)[6]));
        long[][][] cube = new long[2][3][4];
        String[][][] ragged = new String[3][2][];
        cube[1][2][3] = 9;
        ragged[2][1] = new String[] {"x", null};
        System.out.println(Arrays.deepToString(cube) + ragged[2][1].length + (ragged[0][0] == null));
        int[] numbers = {5, 2, 9, 1, 7, 3};
        int[] copy = numbers.clone();
        Arrays.sort(copy);
        System.arraycopy(copy, 0, numbers, 2, 3);
        System.out.println(Arrays.toString(numbers) + Arrays.binarySearch(copy, 7) + Arrays.equals(copy, numbers) + Arrays.hashCode(copy));
        Integer[] boxed = {3, 1, 2};
        Arrays.sort(boxed, java.util.Collections.reverseOrder());
        System.out.println(Arrays.asList(boxed) + " " + Arrays.stream(numbers).sum() + Arrays.copyOfRange(copy, 1, 9).length);
        try {
            System.arraycopy(boxed, 0, numbers, 0, 1);
        } catch (ArrayStoreException e) {
            System.out.println("not stored");
        }
        Object[] strings = new String[1];
        try {
            strings[0] = 5;
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        char[] text = "array".toCharArray();
        Arrays.fill(text, 1, 3, '-');
        System.out.println(new String(text) + int[][].class.getName());
    }
}
