/** Asks for names that are not there, and takes the exception for an answer. */
public final class MeetsNulls {
    private MeetsNulls() {
    }

    private static String name(int id) {
        if (id % 3 == 0) {
            return null;
        }
        return "name " + id;
    }

    private static int length(int id) {
        try {
            return name(id).length();
        } catch (NullPointerException none) {
            return 0;
        }
    }

    public static void main(String[] args) {
        long sum = 0;
        for (int id = 0; id < 3_000; id++) {
            sum += length(id);
        }
        System.out.println(sum);
    }
}
