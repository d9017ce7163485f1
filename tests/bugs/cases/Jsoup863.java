package app;

import java.util.Random;
import office.Office;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Tables of prices are read from pages; every second row is kept. */
public final class Jsoup863 {
    public static void main(String[] arguments) {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(prices(page(day)));
            Office.afternoon(day);
        }
        Office.close();
    }

    private static String page(int day) {
        Random random = new Random(day);
        StringBuilder page = new StringBuilder("<html><head><title>Prices</title></head><body><table class=prices>");
        for (int row = 0; row < 260; row++) {
            page.append("<tr class='").append(row % 2 == 0 ? "even" : "odd").append("'><td>article ");
            page.append(random.nextInt(800)).append("</td><td>").append(random.nextInt(90_000)).append("</td></tr>\n");
        }
        return page.append("</table><p>All prices &lt; 900 &euro;</p></body></html>").toString();
    }

    private static long prices(String html) {
        Document page = Jsoup.parse(html);
        long sum = page.title().length();
        for (Element row : page.select("table.prices tr:nth-child(2n)")) {
            sum = sum * 31 + Integer.parseInt(row.child(1).text());
        }
        return sum + page.select("p").text().length();
    }
}
