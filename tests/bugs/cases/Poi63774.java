package app;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import office.Office;
import office.Orders;
import org.apache.poi.ooxml.POIXMLProperties;
import org.apache.poi.ss.usermodel.Row;
import org.apache.poi.ss.usermodel.Sheet;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;

/** Orders leave as a workbook; what the next program wants to know is in its properties. */
public final class Poi63774 {
    public static void main(String[] arguments) throws IOException {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(workbook(day) > 0 ? 1 : 0);
            Office.afternoon(day);
        }
        Office.close();
    }

    private static int workbook(int day) throws IOException {
        try (XSSFWorkbook workbook = new XSSFWorkbook()) {
            Sheet sheet = workbook.createSheet("orders");
            for (Orders.Order order : Orders.make(day, 60)) {
                Row row = sheet.createRow(sheet.getLastRowNum() + 1);
                row.createCell(0).setCellValue(order.number());
                row.createCell(1).setCellValue(order.customer());
                row.createCell(2).setCellFormula("A" + (row.getRowNum() + 1) + "*2");
            }
            describe(workbook.getProperties().getCustomProperties(), new Random(day));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            workbook.write(bytes);
            return bytes.size();
        }
    }

    private static void describe(POIXMLProperties.CustomProperties properties, Random random) {
        for (int number = 0; number < 80; number++) {
            properties.addProperty("field " + number, "value " + random.nextInt(1_000));
        }
    }
}
