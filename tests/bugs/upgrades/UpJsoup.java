package app;

import java.util.Random;
import office.Letters;
import office.Office;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Pages are read, looked through, changed, and written. */
public final class UpJsoup {
    public static void main(String[] arguments) {
        int days = Office.days(arguments, 40);
        for (int day = 0; day < days; day++) {
            Office.add(page(day));
        }
        Office.close();
    }

    private static long page(int day) {
        Random random = new Random(day);
        StringBuilder html = new StringBuilder("<html><head><title>Day ").append(day).append("</title></head><body>");
        for (int part = 0; part < 25; part++) {
            html.append("<div class='part p").append(part).append("' id=d").append(part).append("><h2>Part &amp; ");
            html.append(part).append("</h2><p>").append(Letters.letter(random)).append("</p><ul>");
            for (int item = 0; item < 8; item++) {
                html.append("<li><a href='/item/").append(item).append("?a=1&amp;b=2'>item ").append(item).append("</a> &uuml;ber</li>");
            }
            html.append("</ul></div>");
        }
        Document page = Jsoup.parse(html.toString(), "http://example.org/");
        long sum = page.title().length();
        for (Element link : page.select("div.part > ul a[href*=item]")) {
            sum += link.absUrl("href").length();
            link.attr("rel", "nofollow").addClass("seen");
        }
        for (Element part : page.select("div")) {
            sum += part.text().length();
        }
        return sum + page.select("li a, h2, p").size() + page.outerHtml().length();
    }
}
