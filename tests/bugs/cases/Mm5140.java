package app;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import office.Office;

/** Requests are counted by method, status and address. */
public final class Mm5140 {
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final Tags common =
            Tags.of("application", "office", "host", "desk1", "region", "south", "stage", "test", "team", "b");

    public static void main(String[] arguments) {
        Mm5140 counting = new Mm5140();
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(counting.requests());
            Office.afternoon(day);
        }
        Office.close();
    }

    private long requests() {
        for (int number = 0; number < 900; number++) {
            String method = number % 3 == 0 ? "GET" : "POST";
            String status = number % 7 == 0 ? "404" : "200";
            Tags request = Tags.of("method", method, "status", status, "uri", "/orders/" + number % 5);
            registry.counter("requests", common.and(request)).increment();
        }
        double sum = 0;
        for (Counter counter : registry.find("requests").counters()) {
            sum += counter.count();
        }
        return (long) sum;
    }
}
