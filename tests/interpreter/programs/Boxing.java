/** Boxes of all kinds, made by the compiler. */
class Boxing {
    Object kept; Integer number; Long wide; int raw; long big;

    static Integer next(Integer n) { return n + 1; }

    public static void main(String[] args) {
        Boxing b = new Boxing();
        b.number = 1000;
        b.wide = 5000L;
        for (int i = 0; i < 3; i++) b.number = next(b.number);
        b.raw = b.number;
        b.big = b.wide;
        b.kept = b.number;
        Object[] all = {1, 'c', true, 2.5, 3.5f, (byte) 4, (short) 5, 6L};
        b.kept = all[2];
        Character c = (Character) all[1];
        char unboxed = c;
        b.raw = unboxed;
        System.out.println(b.number + b.raw + b.big);
    }
}
