package app;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import office.Letters;
import office.Office;

/** Messages are journalled as lines of JSON, which are appended to a page of the journal. */
public final class Gson1706 {
    static final class Message {
        int number;
        String author;
        String text;
        List<String> receivers = new ArrayList<>();
    }

    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

    public static void main(String[] arguments) {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(journal(day).hashCode());
            Office.afternoon(day);
        }
        Office.close();
    }

    private static String journal(int day) {
        Random random = new Random(day);
        StringBuilder page = new StringBuilder();
        for (int number = 0; number < 1_000; number++) {
            append(message(number, random), page);
        }
        return page.toString();
    }

    private static Message message(int number, Random random) {
        Message message = new Message();
        message.number = number;
        message.author = "author " + random.nextInt(90);
        message.text = number % 5 == 0 ? Letters.letter(random) : "Seen \"" + random.nextInt(9_000) + "\", will be done.";
        for (int receiver = random.nextInt(4); receiver >= 0; receiver--) {
            message.receivers.add("desk" + random.nextInt(40) + "@office.example.org");
        }
        return message;
    }

    private static void append(Message message, StringBuilder page) {
        GSON.toJson(message, page);
        page.append('\n');
    }
}
