package app;

import biweekly.Biweekly;
import biweekly.ICalendar;
import biweekly.component.VEvent;
import office.Office;

/** Each day's meetings arrive as a calendar with a time zone of its own. */
public final class Biw37 {
    private static final String ZONE =
            """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//office//meetings
            BEGIN:VTIMEZONE
            TZID:Office
            BEGIN:STANDARD
            DTSTART:20051030T030000
            RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0100
            END:STANDARD
            BEGIN:DAYLIGHT
            DTSTART:20060326T020000
            RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
            TZOFFSETFROM:+0100
            TZOFFSETTO:+0200
            END:DAYLIGHT
            END:VTIMEZONE
            """;

    private Biw37() {}

    public static void main(String[] arguments) {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(meetings(day));
            Office.afternoon(day);
        }
        Office.close();
    }

    private static long meetings(int day) {
        StringBuilder text = new StringBuilder(ZONE);
        for (int meeting = 0; meeting < 4; meeting++) {
            text.append("BEGIN:VEVENT\nUID:").append(day * 100 + meeting);
            text.append("\nSUMMARY:Meeting ").append(meeting).append("\nDTSTART;TZID=Office:2016");
            text.append(10 + meeting % 3).append(10 + (day + meeting) % 18);
            text.append("T1").append(meeting).append("0000\nEND:VEVENT\n");
        }
        text.append("END:VCALENDAR\n");
        ICalendar calendar = Biweekly.parse(text.toString().replace("\n", "\r\n")).first();
        long sum = 0;
        for (VEvent event : calendar.getEvents()) {
            sum += event.getDateStart().getValue().getTime() / 60_000;
        }
        return sum;
    }
}
