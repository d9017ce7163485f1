package app;

import office.Office;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** The minutes of a meeting of programmers are made into a web page. */
public final class Cmark447 {
    private final Parser parser = Parser.builder().build();
    private final HtmlRenderer pages = HtmlRenderer.builder().build();

    public static void main(String[] arguments) {
        Cmark447 clerk = new Cmark447();
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(clerk.minutes(day));
            Office.afternoon(day);
        }
        Office.close();
    }

    private long minutes(int day) {
        StringBuilder text = new StringBuilder("# Minutes of day ").append(day);
        text.append("\n\n* item *one*\n* item **two**\n\n");
        for (int page = 0; page < 45; page++) {
            text.append("page ").append(page).append(" begins with <?php echo $").append(page);
            text.append(", see `header`\n");
        }
        return pages.render(parser.parse(text.toString())).hashCode();
    }
}
