package office;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A plan of shifts in three cities: made, printed, read again, and summed up. */
public final class Shifts {
    private static final ZoneId[] CITIES =
            {ZoneId.of("Europe/Vienna"), ZoneId.of("America/Chicago"), ZoneId.of("Asia/Tokyo")};
    private static final DateTimeFormatter PRINTED =
            DateTimeFormatter.ofPattern("EEE d MMM uuuu HH:mm", Locale.ENGLISH);

    private Shifts() {}

    public static long run(int round) {
        LocalDate day = LocalDate.of(2026, 1, 1).plusWeeks(round);
        Map<DayOfWeek, Duration> worked = new TreeMap<>();
        long sum = 0;
        for (int shift = 0; shift < 500; shift++) {
            ZoneId city = CITIES[shift % CITIES.length];
            LocalDate date = day.plusDays(shift % 60);
            if (date.getDayOfWeek() == DayOfWeek.SUNDAY) {
                date = date.with(TemporalAdjusters.next(DayOfWeek.TUESDAY));
            }
            ZonedDateTime begin = date.atTime(6 + shift % 3 * 5, 15).atZone(city);
            ZonedDateTime end = begin.plusMinutes(300 + shift % 7 * 20);
            worked.merge(begin.getDayOfWeek(), Duration.between(begin, end), Duration::plus);
            LocalDateTime again = LocalDateTime.parse(PRINTED.format(begin), PRINTED);
            sum += again.getDayOfYear() + end.withZoneSameInstant(CITIES[0]).getHour();
        }
        return sum + worked.values().stream().mapToLong(Duration::toMinutes).sum();
    }
}
