/** Copies by the JVM, last instructions of their blocks, that throw. */
class CopiesThatFail {
    int[] numbers = {1, 2, 3};
    int caught;

    void copy(int[] to, int length) {
        if (length > 0) {
            System.arraycopy(numbers, 0, to, 0, length);
        }
        caught += 10;
    }

    int[] copied(int[] from) {
        int[] copy = from.clone();
        return copy;
    }

    public static void main(String[] args) {
        CopiesThatFail it = new CopiesThatFail();
        for (int length = 0; length < 5; length++) {
            try {
                it.copy(new int[2], length);
            } catch (ArrayIndexOutOfBoundsException e) {
                it.caught++;
            }
            try {
                it.numbers = it.copied(length == 3 ? null : it.numbers);
            } catch (NullPointerException e) {
                it.caught++;
            }
        }
        System.out.println(it.caught + it.numbers.length);
    }
}
