package app;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import office.Office;

/** Bookings of rooms, which come as JSON with the times of their begin and end. */
public final class Jsr336 {
    /** A booking, as it is in JSON. */
    public static final class Booking {
        public String room;
        public String guest;
        public OffsetDateTime begin;
        public ZonedDateTime end;
    }

    private static final ObjectMapper MAPPER = new ObjectMapper().registerModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);
    private static final ZoneId[] CITIES = {ZoneId.of("Europe/Vienna"), ZoneId.of("America/Chicago"), ZoneId.of("Asia/Tokyo")};

    public static void main(String[] arguments) throws IOException {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(occupied(MAPPER.writeValueAsString(bookings(new Random(day), day))));
            Office.afternoon(day);
        }
        Office.close();
    }

    private static List<Booking> bookings(Random random, int day) {
        List<Booking> bookings = new ArrayList<>();
        for (int number = 0; number < 1_100; number++) {
            Booking booking = new Booking();
            booking.room = "room " + random.nextInt(60);
            booking.guest = "guest " + random.nextInt(900);
            ZoneId city = CITIES[random.nextInt(CITIES.length)];
            ZonedDateTime begin = ZonedDateTime.of(2025, 3, 1 + day % 28, random.nextInt(20), 15 * random.nextInt(4), 0, 0, city);
            booking.begin = begin.toOffsetDateTime();
            booking.end = begin.plusMinutes(30 + 15 * random.nextInt(12));
            bookings.add(booking);
        }
        return bookings;
    }

    private static long occupied(String json) throws IOException {
        long sum = 0;
        long[] minutes = new long[60];
        for (Booking booking : MAPPER.readValue(json, Booking[].class)) {
            int room = Integer.parseInt(booking.room.substring(5));
            minutes[room] += Duration.between(booking.begin, booking.end.toOffsetDateTime()).toMinutes();
            sum = sum * 31 + booking.guest.length() + booking.begin.getHour();
        }
        return sum + Arrays.hashCode(minutes);
    }
}
