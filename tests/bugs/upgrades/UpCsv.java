package app;

import com.univocity.parsers.csv.CsvParser;
import com.univocity.parsers.csv.CsvParserSettings;
import com.univocity.parsers.csv.CsvWriter;
import com.univocity.parsers.csv.CsvWriterSettings;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.List;
import office.Office;
import office.Orders;

/** Orders are exchanged as tables of text. */
public final class UpCsv {
    public static void main(String[] arguments) {
        int days = Office.days(arguments, 60);
        for (int day = 0; day < days; day++) {
            Office.add(read(written(Orders.make(day, 400))));
        }
        Office.close();
    }

    private static String written(List<Orders.Order> orders) {
        StringWriter text = new StringWriter();
        CsvWriter writer = new CsvWriter(text, new CsvWriterSettings());
        writer.writeHeaders("number", "customer", "country", "article", "count", "price", "remark");
        for (Orders.Order order : orders) {
            for (Orders.Line line : order.lines()) {
                String remark = line.count() > 6 ? "many, \"" + line.article() + "\"" : null;
                writer.writeRow(
                        order.number(), order.customer(), order.country(), line.article(), line.count(), line.price(), remark);
            }
        }
        writer.close();
        return text.toString();
    }

    private static long read(String text) {
        CsvParserSettings settings = new CsvParserSettings();
        settings.setReadInputOnSeparateThread(false);
        settings.getFormat().setLineSeparator("\n");
        long sum = text.length();
        for (String[] row : new CsvParser(settings).parseAll(new StringReader(text))) {
            sum = sum * 31 + row.length;
            for (String cell : row) {
                sum += cell == null ? 1 : cell.length();
            }
        }
        return sum;
    }
}
