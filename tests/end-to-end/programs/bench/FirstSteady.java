package apps;

/**
 * Prints, for the processor time and the time by the clock of iterations
 * ({@code 100/120} each), behind which iteration they were steady first and with
 * which one the window began, or {@code never}.
 */
final class FirstSteady {
    private FirstSteady() {}

    public static void main(String[] times) {
        Steadiness steadiness = new Steadiness();
        for (String time : times) {
            int slash = time.indexOf('/');
            steadiness.add(Long.parseLong(time.substring(slash + 1)), Long.parseLong(time.substring(0, slash)));
            if (steadiness.isReached()) {
                System.out.println(steadiness.iterations() + " " + steadiness.firstOfWindow());
                return;
            }
        }
        System.out.println("never");
    }
}
