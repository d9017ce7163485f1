/** Ends by System.exit in the middle of a loop, with a hook that goes on. */
public class Exits {
    static int work(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i;
        }
        return sum;
    }

    static void deep(int n) {
        int sum = work(n);
        if (n > 5) {
            System.out.println("leaving");
            System.exit(sum % 100);
        }
        deep(n + 1);
        work(sum);
    }

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook " + work(10)), "hook"));
        deep(1);
    }
}
