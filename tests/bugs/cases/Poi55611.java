package app;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import office.Office;
import org.apache.poi.hssf.usermodel.HSSFWorkbook;
import org.apache.poi.ss.usermodel.Cell;
import org.apache.poi.ss.usermodel.CellStyle;
import org.apache.poi.ss.usermodel.DateUtil;
import org.apache.poi.ss.usermodel.Row;
import org.apache.poi.ss.usermodel.Sheet;
import org.apache.poi.ss.usermodel.Workbook;

/** Appointments are read from a workbook: whatever is a date becomes a time, other figures are rooms. */
public final class Poi55611 {
    public static void main(String[] arguments) throws IOException {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(read(appointments(day)));
            Office.afternoon(day);
        }
        Office.close();
    }

    private static byte[] appointments(int day) throws IOException {
        Random random = new Random(day);
        Workbook workbook = new HSSFWorkbook();
        CellStyle time = workbook.createCellStyle();
        time.setDataFormat(workbook.createDataFormat().getFormat("[$-809]dddd, d mmmm yyyy \"at\" hh:mm;@"));
        Sheet sheet = workbook.createSheet();
        for (int number = 0; number < 360; number++) {
            Row row = sheet.createRow(number);
            row.createCell(0).setCellValue("meeting " + random.nextInt(90));
            double begin = 41_000 + day + random.nextInt(96) / 96.0;
            for (int column = 1; column <= 2; column++) {
                Cell cell = row.createCell(column);
                cell.setCellValue(begin + (column - 1) / 24.0);
                cell.setCellStyle(time);
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        workbook.write(bytes);
        return bytes.toByteArray();
    }

    private static long read(byte[] file) throws IOException {
        Workbook workbook = new HSSFWorkbook(new ByteArrayInputStream(file));
        long sum = 0;
        for (Row row : workbook.getSheetAt(0)) {
            for (Cell cell : row) {
                if (cell.getCellType() == Cell.CELL_TYPE_STRING) {
                    sum = sum * 31 + cell.getStringCellValue().length();
                } else if (DateUtil.isCellDateFormatted(cell)) {
                    sum = sum * 31 + Math.round(cell.getNumericCellValue() * 1_440);
                } else {
                    sum = sum * 31 + (long) cell.getNumericCellValue();
                }
            }
        }
        return sum;
    }
}
