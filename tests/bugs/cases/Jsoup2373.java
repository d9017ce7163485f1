package app;

import java.util.Random;
import office.Office;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Lists of tasks are read from pages and worked off from their beginning. */
public final class Jsoup2373 {
    public static void main(String[] arguments) {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(workOff(page(day)));
            Office.afternoon(day);
        }
        Office.close();
    }

    private static String page(int day) {
        Random random = new Random(day);
        StringBuilder page = new StringBuilder("<html><head><title>Tasks</title></head><body><ul id=tasks>");
        for (int task = 0; task < 420; task++) {
            page.append("<li class=t").append(task % 3).append(">task <b>").append(random.nextInt(800)).append("</b></li>");
        }
        return page.append("</ul></body></html>").toString();
    }

    private static long workOff(String html) {
        Document page = Jsoup.parse(html);
        long sum = page.title().length();
        Element tasks = page.getElementById("tasks");
        while (tasks.childNodeSize() > 0) {
            Element task = tasks.child(0);
            sum = sum * 31 + task.text().hashCode() + task.className().length();
            task.remove();
        }
        return sum + page.body().html().length();
    }
}
