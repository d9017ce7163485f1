package app;

import java.util.Date;
import java.util.Random;
import java.util.TimeZone;
import office.Letters;
import office.Office;
import org.apache.commons.lang3.StringEscapeUtils;
import org.apache.commons.lang3.StringUtils;
import org.apache.commons.lang3.builder.HashCodeBuilder;
import org.apache.commons.lang3.math.NumberUtils;
import org.apache.commons.lang3.text.StrSubstitutor;
import org.apache.commons.lang3.text.WordUtils;
import org.apache.commons.lang3.time.FastDateFormat;

/** Texts are cleaned, escaped, filled in, and dated. */
public final class UpLang {
    private static final FastDateFormat DATED =
            FastDateFormat.getInstance("EEE, d MMM yyyy HH:mm:ss", TimeZone.getTimeZone("UTC"), java.util.Locale.ENGLISH);

    public static void main(String[] arguments) {
        int days = Office.days(arguments, 40);
        for (int day = 0; day < days; day++) {
            Office.add(texts(new Random(day)));
        }
        Office.close();
    }

    private static long texts(Random random) {
        long sum = 0;
        for (int number = 0; number < 40; number++) {
            String letter = StringUtils.normalizeSpace(Letters.letter(random));
            sum += StringEscapeUtils.escapeHtml4(letter).length() + StringEscapeUtils.escapeXml(letter + " & <b>").length();
            sum += WordUtils.wrap(StringUtils.swapCase(letter), 60).hashCode();
            sum += StringUtils.containsIgnoreCase(new StringBuilder(letter.substring(0, 60)), "CONTRACT") ? 1 : 0;
            sum += DATED.format(new Date(random.nextInt(1_000_000) * 1_000_000L)).length();
            sum += StringUtils.join(StringUtils.split(letter, ' '), '-').hashCode();
            sum += StringUtils.replaceEach(letter, new String[] {"letter", "call"}, new String[] {"note", "ring"}).hashCode();
            for (String word : StringUtils.split(letter)) {
                sum += NumberUtils.isDigits(word) ? NumberUtils.toInt(word) : new HashCodeBuilder().append(word).toHashCode();
            }
            java.util.Map<String, String> values = new java.util.HashMap<>();
            values.put("name", "Ada");
            sum += StrSubstitutor.replace("Dear ${name}, ${name} ${unknown}" + letter, values).length();
        }
        return sum;
    }
}
