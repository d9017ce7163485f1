package app;

import java.util.Random;
import office.Office;
import org.joda.time.DateTime;
import org.joda.time.Duration;
import org.joda.time.format.DateTimeFormat;
import org.joda.time.format.DateTimeFormatter;

/** A timetable of flights, with the zone of each airport. */
public final class Joda282 {
    private static final DateTimeFormatter READ = DateTimeFormat.forPattern("yyyy-MM-dd HH:mm ZZZ").withOffsetParsed();
    private static final DateTimeFormatter SHOWN = DateTimeFormat.forPattern("EEEE, d MMMM, HH:mm").withLocale(java.util.Locale.ENGLISH);
    private static final String[] ZONES = {"Europe/Vienna", "America/Chicago", "Asia/Tokyo", "Africa/Cairo",
        "Australia/Sydney", "Pacific/Auckland", "America/Lima", "Europe/Oslo"};

    public static void main(String[] arguments) {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(timetable(new Random(day)));
            Office.afternoon(day);
        }
        Office.close();
    }

    private static long timetable(Random random) {
        long sum = 0;
        for (int flight = 0; flight < 35; flight++) {
            DateTime departure = time(random);
            DateTime arrival = time(random).plusDays(1);
            sum = sum * 31 + new Duration(departure, arrival).getStandardMinutes();
            sum += SHOWN.print(arrival.withZone(departure.getZone())).length();
        }
        return sum;
    }

    private static DateTime time(Random random) {
        int day = 10 + random.nextInt(18);
        int hour = 10 + random.nextInt(13);
        String zone = ZONES[random.nextInt(ZONES.length)];
        return READ.parseDateTime("2015-05-" + day + " " + hour + ":30 " + zone);
    }
}
