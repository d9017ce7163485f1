package app;

import java.util.Random;
import office.Letters;
import office.Office;
import org.apache.commons.lang3.StringEscapeUtils;
import org.apache.commons.lang3.StringUtils;

/** A guest book: what guests have written becomes a page of HTML. */
public final class Lang935 {
    public static void main(String[] arguments) {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(page(new Random(day)).length());
            Office.afternoon(day);
        }
        Office.close();
    }

    private static String page(Random random) {
        StringBuilder page = new StringBuilder("<html><body>");
        for (int entry = 0; entry < 18; entry++) {
            String author = StringUtils.capitalize("guest " + random.nextInt(50) + " & family");
            page.append("<h2>").append(text(author)).append("</h2><p>");
            page.append(text(Letters.letter(random))).append("</p>");
        }
        return page.append("</body></html>").toString();
    }

    private static String text(String written) {
        return StringEscapeUtils.escapeHtml4(StringUtils.trimToEmpty(written));
    }
}
