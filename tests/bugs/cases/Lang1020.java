package app;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import office.Letters;
import office.Office;
import org.apache.commons.lang3.StringUtils;

/** Fields of forms that people have filled in are cleaned before they are kept. */
public final class Lang1020 {
    public static void main(String[] arguments) {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Random random = new Random(day);
            for (int number = 0; number < 60; number++) {
                Office.add(form(random).hashCode());
            }
            Office.afternoon(day);
        }
        Office.close();
    }

    private static Map<String, String> form(Random random) {
        Map<String, String> form = new TreeMap<>();
        form.put("name", clean("  Maria   van der  Berg " + random.nextInt(90)));
        form.put("street", clean("Long   Street\t" + random.nextInt(200) + "  "));
        form.put("town", clean("\u00a0New  Town"));
        form.put("remark", clean(StringUtils.substring(Letters.letter(random), 0, 120).replace(" ", "  ")));
        return form;
    }

    private static String clean(String field) {
        return StringUtils.abbreviate(StringUtils.normalizeSpace(field), 100);
    }
}
