package app;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import office.Office;
import office.Orders;
import org.apache.poi.hssf.usermodel.HSSFCell;
import org.apache.poi.hssf.usermodel.HSSFCellStyle;
import org.apache.poi.hssf.usermodel.HSSFRow;
import org.apache.poi.hssf.usermodel.HSSFSheet;
import org.apache.poi.hssf.usermodel.HSSFWorkbook;

/** Orders in workbooks: written, computed, and read again. */
public final class UpPoi {
    public static void main(String[] arguments) throws Exception {
        int days = Office.days(arguments, 20);
        for (int day = 0; day < days; day++) {
            Office.add(sum(book(day)));
        }
        Office.close();
    }

    private static byte[] book(int day) throws Exception {
        HSSFWorkbook book = new HSSFWorkbook();
        HSSFSheet sheet = book.createSheet("orders");
        HSSFCellStyle style = book.createCellStyle();
        style.setDataFormat(book.createDataFormat().getFormat("0.00"));
        int at = 0;
        for (Orders.Order order : Orders.make(day, 120)) {
            HSSFRow row = sheet.createRow(at++);
            row.createCell(0).setCellValue(order.number());
            row.createCell(1).setCellValue(order.customer());
            HSSFCell cell = row.createCell(2);
            cell.setCellValue(order.lines().size() * 1.5);
            cell.setCellStyle(style);
            row.createCell(3).setCellFormula("IF(C" + at + ">4,C" + at + "*2,SUM(C1:C" + at + "))");
        }
        book.getCreationHelper().createFormulaEvaluator().evaluateFormulaCell(sheet.getRow(100).getCell(3));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        book.write(bytes);
        return bytes.toByteArray();
    }

    private static long sum(byte[] bytes) throws Exception {
        HSSFWorkbook book = new HSSFWorkbook(new ByteArrayInputStream(bytes));
        HSSFSheet sheet = book.getSheetAt(0);
        double sum = 0;
        for (int at = 0; at <= sheet.getLastRowNum(); at++) {
            sum += sheet.getRow(at).getCell(0).getNumericCellValue() + sheet.getRow(at).getCell(1).getStringCellValue().length();
            sum += sheet.getRow(at).getCell(3).getCellFormula().length();
        }
        return Math.round(sum);
    }
}
