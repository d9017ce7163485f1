/** Elements of arrays of all types. */
class Arrays {
    public static void main(String[] args) {
        boolean[] z = {true, false}; byte[] b = {1, 2}; char[] c = {'a', 'b'}; short[] s = {1, 2};
        int[] i = {1, 2}; long[] j = {1, 2}; float[] f = {1, 2}; double[] d = {1, 2};
        Object[] o = {z, b};
        for (int at = 0; at < 2; at++) {
            z[at] = z[1 - at]; b[at] = b[1 - at]; c[at] = c[1 - at]; s[at] = s[1 - at];
            i[at] = i[1 - at]; j[at] = j[1 - at]; f[at] = f[1 - at]; d[at] = d[1 - at];
            o[at] = o[1 - at];
        }
        byte[] other = new byte[b.length];
        other[0] = b[1];
        System.out.println(other[0] + i[0]);
        System.out.println(j[0]);
        System.out.println(o[0] == o[1]);
    }
}
