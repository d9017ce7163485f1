/**
 * A server's requests, each of which asks a database once for each of its customers; what a
 * query costs is in several places.
 */
public final class AsksInALoop {
    static long sum;

    public static void main(String[] args) {
        for (int request = 0; request < 40; request++) {
            totals(50);
            report(request);
        }
        System.out.println("sum " + sum);
    }

    private static void totals(int customers) {
        for (int customer = 0; customer < customers; customer++) {
            totalOf(customer);
        }
    }

    private static void totalOf(int customer) {
        parse(customer);
        execute(customer);
        fetch(customer);
    }

    private static void parse(int query) {
        work(query, 300);
    }

    private static void execute(int query) {
        work2(query, 300);
    }

    private static void fetch(int query) {
        work3(query, 300);
    }

    private static void report(int request) {
        for (int line = 0; line < 50_000; line++) {
            sum = sum * 31 + line + request;
        }
    }

    private static void work(int seed, int rounds) {
        for (int i = 0; i < rounds; i++) {
            sum = sum * 31 + seed;
        }
    }

    private static void work2(int seed, int rounds) {
        for (int i = 0; i < rounds; i++) {
            sum = sum * 37 + seed;
        }
    }

    private static void work3(int seed, int rounds) {
        for (int i = 0; i < rounds; i++) {
            sum = sum * 41 + seed;
        }
    }
}
