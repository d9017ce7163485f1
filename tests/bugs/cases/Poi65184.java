package app;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import office.Letters;
import office.Office;
import org.apache.poi.hssf.usermodel.HSSFWorkbook;
import org.apache.poi.poifs.filesystem.DocumentEntry;
import org.apache.poi.poifs.filesystem.DocumentInputStream;
import org.apache.poi.poifs.filesystem.Entry;
import org.apache.poi.poifs.filesystem.POIFSFileSystem;
import org.apache.poi.ss.usermodel.Row;
import org.apache.poi.ss.usermodel.Sheet;

/** Attachments of old mail are kept in one compound file, a day's figures in a workbook. */
public final class Poi65184 {
    public static void main(String[] arguments) throws IOException {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(read(attachments(day)));
            Office.add(figures(day));
            Office.afternoon(day);
        }
        Office.close();
    }

    private static byte[] attachments(int day) throws IOException {
        Random random = new Random(day);
        try (POIFSFileSystem files = new POIFSFileSystem()) {
            for (int number = 0; number < 42; number++) {
                byte[] letter = (Letters.letter(random) + Letters.letter(random)).getBytes(StandardCharsets.UTF_8);
                files.createDocument(new ByteArrayInputStream(letter), "attachment" + number);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            files.writeFilesystem(bytes);
            return bytes.toByteArray();
        }
    }

    private static long read(byte[] file) throws IOException {
        long sum = 0;
        try (POIFSFileSystem files = new POIFSFileSystem(new ByteArrayInputStream(file))) {
            for (Entry entry : files.getRoot()) {
                try (DocumentInputStream stream = new DocumentInputStream((DocumentEntry) entry)) {
                    byte[] bytes = new byte[stream.available()];
                    stream.readFully(bytes);
                    sum = sum * 31 + java.util.Arrays.hashCode(bytes);
                }
            }
        }
        return sum;
    }

    private static long figures(int day) throws IOException {
        try (HSSFWorkbook workbook = new HSSFWorkbook()) {
            Sheet sheet = workbook.createSheet();
            for (int number = 0; number < 80; number++) {
                Row row = sheet.createRow(number);
                row.createCell(0).setCellValue(number * (day + 1));
                row.createCell(1).setCellFormula("SUM(A1:A" + (number + 1) + ")");
            }
            workbook.getCreationHelper().createFormulaEvaluator().evaluateAll();
            return Math.round(sheet.getRow(79).getCell(1).getNumericCellValue());
        }
    }
}
