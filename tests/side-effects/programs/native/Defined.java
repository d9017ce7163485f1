/** A class that only native code defines. */
public final class Defined {
    private static final int[] TABLE = new int[8];

    static {
        for (int i = 0; i < TABLE.length; i++) {
            TABLE[i] = i * i;
        }
    }

    @Override
    public String toString() {
        return "defined " + TABLE[7];
    }
}
