package app;

import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.Multimap;
import com.google.common.net.HttpHeaders;
import com.google.common.net.MediaType;
import java.util.Map;
import java.util.Random;
import office.Office;

/** A server answers requests, with the type of what it sends in the header of each answer. */
public final class Guava1486 {
    private static final MediaType[] TYPES = {
        MediaType.HTML_UTF_8, MediaType.CSS_UTF_8, MediaType.TEXT_JAVASCRIPT_UTF_8, MediaType.JSON_UTF_8,
        MediaType.PNG, MediaType.SVG_UTF_8, MediaType.PLAIN_TEXT_UTF_8, MediaType.ATOM_UTF_8,
    };

    public static void main(String[] arguments) {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Random random = new Random(day);
            long sum = 0;
            for (int request = 0; request < 2_000; request++) {
                sum = sum * 31 + answer(TYPES[random.nextInt(TYPES.length)], random.nextInt(90_000)).hashCode();
            }
            Office.add(sum);
            Office.afternoon(day);
        }
        Office.close();
    }

    private static String answer(MediaType type, int length) {
        Multimap<String, String> headers = LinkedHashMultimap.create();
        headers.put(HttpHeaders.CONTENT_TYPE, type.toString());
        headers.put(HttpHeaders.CONTENT_LENGTH, Integer.toString(length));
        headers.put(HttpHeaders.CACHE_CONTROL, type.is(MediaType.ANY_TEXT_TYPE) ? "no-cache" : "max-age=86400");
        StringBuilder answer = new StringBuilder("HTTP/1.1 200 OK\r\n");
        for (Map.Entry<String, String> header : headers.entries()) {
            answer.append(header.getKey()).append(": ").append(header.getValue()).append("\r\n");
        }
        return answer.append("\r\n").toString();
    }
}
