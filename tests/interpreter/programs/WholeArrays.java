/** Arrays that one instruction writes as a whole, read in part, and written again as a whole or not. */
class WholeArrays {
    static int sum;

    static void fill(int[] from, int[] to) { System.arraycopy(from, 0, to, 0, to.length); }

    static void read(int[] array, int from, int step) {
        for (int i = from; i < array.length; i += step) sum += array[i];
    }

    static void write(int[] array, int from, int step) {
        for (int i = from; i < array.length; i += step) array[i] = sum;
    }

    public static void main(String[] args) {
        for (int length : new int[] {1, 2, 31, 32, 33, 64, 65, 130}) {
            int[] source = new int[length];
            write(source, 0, 1);
            int[] whole = new int[length];
            fill(source, whole);
            fill(source, whole);
            read(whole, length / 2, 3);
            fill(source, whole);
            System.arraycopy(whole, length / 2, source, 0, length - length / 2);
            int[] clone = whole.clone();
            read(clone, 0, 2);
            write(clone, 0, 5);
            fill(clone, whole);
            write(whole, length / 3, 1);
            int[] untouched = whole.clone();
            write(untouched, 0, 1);
        }
        Object[] objects = {new Object(), args, "text", null};
        Object[] same = objects.clone();
        Object first = null;
        for (Object object : same) first = first == null ? object : first;
        System.arraycopy(objects, 0, same, 0, same.length);
        same[2] = first;
        System.arraycopy(same, 0, same, 1, 3);
        System.out.println(sum + " " + (same[3] == first));
    }
}
