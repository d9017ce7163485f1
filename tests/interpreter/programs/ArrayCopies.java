/** System.arraycopy: between arrays, overlapping, of references and primitives, and failing. */
class ArrayCopies {
    static class Buffer {
        char[] data = new char[4]; int length;
        void append(char c) {
            if (length == data.length) {
                char[] bigger = new char[2 * length];
                System.arraycopy(data, 0, bigger, 0, length);
                data = bigger;
            }
            data[length++] = c;
        }
        void remove(int at) { System.arraycopy(data, at + 1, data, at, --length - at); }
    }

    public static void main(String[] args) {
        Buffer b = new Buffer();
        for (char c = 'a'; c < 'k'; c++) b.append(c);
        b.remove(3);
        b.remove(0);
        Object[] from = {b, new Object(), null, args};
        Object[] to = new Object[6];
        System.arraycopy(from, 1, to, 2, 3);
        System.arraycopy(to, 2, to, 3, 3);
        try { System.arraycopy(from, 2, to, 0, 9); } catch (IndexOutOfBoundsException e) { to[0] = from[0]; }
        System.arraycopy(from, 0, to, 0, 0);
        System.out.println(b.data[2] + " " + b.length + (to[0] == b));
    }
}
