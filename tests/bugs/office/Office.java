package office;

/** What an office does all day, beside what a case is about. */
public final class Office {
    /** What all of it has computed: it must be the same in each run. */
    private static long sum;

    private Office() {}

    /** Days of work for a share in percent of the usual size, which is the first argument of a case. */
    public static int days(String[] arguments, int usual) {
        int percent = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;
        return Math.max(1, usual * percent / 100);
    }

    /** The morning of a day. */
    public static void morning(int day) {
        sum = sum * 31 + Orders.run(day);
        sum = sum * 31 + Letters.run(day);
        sum = sum * 31 + Feeds.run(day);
        sum = sum * 31 + Service.run(day);
    }

    /** The afternoon. */
    public static void afternoon(int day) {
        sum = sum * 31 + Shifts.run(day);
        sum = sum * 31 + Routes.run(day);
        sum = sum * 31 + Figures.run(day);
        sum = sum * 31 + Archive.run(day);
    }

    /** The evening. */
    public static void evening(int day) {
        sum = sum * 31 + Ledger.run(day);
    }

    /** Adds what a case has computed. */
    public static void add(long value) {
        sum = sum * 31 + value;
    }

    /** The end of the program. */
    public static void close() {
        System.out.println("sum " + Long.toHexString(sum));
    }
}
