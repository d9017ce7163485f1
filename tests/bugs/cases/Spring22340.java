package app;

import java.util.List;
import java.util.Random;
import office.Office;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;
import org.springframework.util.MultiValueMap;

/** A service says of each document that it gives out of what type it is. */
public final class Spring22340 {
    private static final String[] NAMES = {
        "application/vnd.office.order+json;charset=UTF-8", "application/vnd.office.bill+json;charset=UTF-8;version=2",
        "text/html;charset=UTF-8", "application/pdf", "image/png", "application/atom+xml;type=entry;charset=UTF-8",
    };

    public static void main(String[] arguments) {
        List<MimeType> types = List.of(NAMES).stream().map(MimeTypeUtils::parseMimeType).toList();
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Random random = new Random(day);
            long sum = 0;
            for (int document = 0; document < 3_000; document++) {
                sum = sum * 31 + give(types.get(random.nextInt(types.size())), document).hashCode();
            }
            Office.add(sum);
            Office.afternoon(day);
        }
        Office.close();
    }

    private static String give(MimeType type, int document) {
        MultiValueMap<String, String> headers = new LinkedMultiValueMap<>();
        headers.add("Content-Type", type.toString());
        headers.add("Content-Disposition", "attachment; filename=\"" + document + "." + type.getSubtype() + "\"");
        headers.add("Vary", MimeTypeUtils.IMAGE_PNG.includes(type) ? "none" : "Accept");
        StringBuilder text = new StringBuilder();
        headers.forEach((name, values) -> text.append(name).append(": ").append(values.get(0)).append('\n'));
        return text.toString();
    }
}
