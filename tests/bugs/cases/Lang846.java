package app;

import java.util.Random;
import office.Office;
import org.apache.commons.lang3.StringUtils;

/** A monitor keeps the last lines of a log, and looks for words of alarm in them. */
public final class Lang846 {
    private static final String[] EVENTS = {"connected", "took a request", "answered", "closed", "retries"};

    private final StringBuilder recent = new StringBuilder();
    private final Random random = new Random(7);

    public static void main(String[] arguments) {
        Lang846 monitor = new Lang846();
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(monitor.watch(day));
            Office.afternoon(day);
        }
        Office.close();
    }

    private int watch(int day) {
        int alarms = 0;
        for (int minute = 0; minute < 20; minute++) {
            recent.append(day).append(':').append(minute).append(" peer ").append(random.nextInt(64)).append(' ');
            recent.append(EVENTS[random.nextInt(EVENTS.length)]).append('\n');
            if (recent.length() > 2_000) {
                recent.delete(0, recent.indexOf("\n") + 1);
            }
            if (isAlarm()) {
                alarms++;
            }
        }
        return alarms;
    }

    private boolean isAlarm() {
        return StringUtils.containsIgnoreCase(recent, "out of memory");
    }
}
