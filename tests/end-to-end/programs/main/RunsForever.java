/** Announces that it works and goes on working until it is killed. */
public final class RunsForever {
    static long total;

    public static void main(String[] args) {
        for (int i = 0; i < 5000; i++) {
            step(i);
        }
        System.out.println("working");
        System.out.flush();
        while (true) {
            spin(1000);
        }
    }

    private static void step(int i) {
        total += i;
    }

    private static void spin(int rounds) {
        for (int i = 0; i < rounds; i++) {
            total ^= total << 1 ^ i;
        }
    }
}
