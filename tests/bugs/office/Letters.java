package office;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Letters: a template is filled in, the text wrapped, checked, and counted by words. */
public final class Letters {
    private static final Pattern FIELD = Pattern.compile("\\$\\{([a-z]+)\\}");
    private static final Pattern MAIL = Pattern.compile("[a-z0-9.]+@[a-z0-9]+(\\.[a-z]{2,4})+");
    private static final String TEMPLATE = """
            Dear ${name}, thank you for your letter of ${date} about ${subject}. We have looked into
            what you wrote and shall answer before ${due}. Should you have questions about ${subject},
            write to ${mail} or call ${phone}. With kind regards, ${clerk}, office ${office}.
            """;
    private static final String[] WORDS = {"invoice", "delivery", "contract", "meeting", "reminder", "order"};

    private Letters() {}

    public static String letter(Random random) {
        Map<String, String> fields = new TreeMap<>();
        fields.put("name", "customer " + random.nextInt(500));
        fields.put("date", (1 + random.nextInt(28)) + " May");
        fields.put("due", (1 + random.nextInt(28)) + " June");
        fields.put("subject", "the " + WORDS[random.nextInt(WORDS.length)] + " " + random.nextInt(9_999));
        fields.put("mail", "desk" + random.nextInt(40) + "@office.example.org");
        fields.put("phone", "0" + (100_000 + random.nextInt(900_000)));
        fields.put("clerk", "clerk " + random.nextInt(30));
        fields.put("office", String.valueOf(random.nextInt(12)));
        StringBuilder text = new StringBuilder();
        Matcher matcher = FIELD.matcher(TEMPLATE);
        while (matcher.find()) {
            matcher.appendReplacement(text, Matcher.quoteReplacement(fields.get(matcher.group(1))));
        }
        return matcher.appendTail(text).toString();
    }

    public static long run(int round) {
        Random random = new Random(round);
        Map<String, Integer> counts = new TreeMap<>();
        long sum = 0;
        for (int number = 0; number < 80; number++) {
            String letter = letter(random);
            List<String> lines = wrap(letter, 60);
            for (String line : lines) {
                for (String word : line.split(" ")) {
                    counts.merge(word.toLowerCase(), 1, Integer::sum);
                }
            }
            Matcher mail = MAIL.matcher(letter);
            sum += lines.size() + (mail.find() ? mail.group().length() : 0);
        }
        return sum + counts.hashCode();
    }

    private static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split("\\s+")) {
            if (line.length() + word.length() >= width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
