import dacapo.TestHarness;

/** Entry point, named and shaped as that of the 2006-10 harness. */
public class Harness {
    public static void main(String[] args) {
        TestHarness.main(args);
        System.exit(0);
    }
}
