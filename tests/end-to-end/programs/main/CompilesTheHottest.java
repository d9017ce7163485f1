import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Collectors;
import subsume.Profile;

/**
 * Calls one method twenty thousand times, and another one three million times. Prints flags of
 * the compilers before, and after recording has been stopped.
 */
public final class CompilesTheHottest {
    private static final List<String> FLAGS =
            List.of("Tier3DelayOn", "TieredOldPercentage", "Tier2InvokeNotifyFreqLog",
                    "Tier2BackedgeNotifyFreqLog");

    private static int sum;

    public static void main(String[] args) {
        System.out.println("flags: " + flags());
        for (int i = 0; i < 20_000; i++) {
            warm(i);
        }
        for (int i = 0; i < 3_000_000; i++) {
            hot(i);
        }
        System.out.println("sum: " + sum);
        Profile.stop();
        System.out.println("flags: " + flags());
    }

    private static void warm(int i) {
        sum = sum * 31 ^ i;
    }

    private static void hot(int i) {
        sum = sum * 33 ^ i;
    }

    private static String flags() {
        HotSpotDiagnosticMXBean flags =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return FLAGS.stream()
                .map(name -> flags.getVMOption(name).getValue())
                .collect(Collectors.joining(" "));
    }
}
