package app;

import com.google.zxing.BarcodeFormat;
import com.google.zxing.BinaryBitmap;
import com.google.zxing.LuminanceSource;
import com.google.zxing.MultiFormatReader;
import com.google.zxing.MultiFormatWriter;
import com.google.zxing.NotFoundException;
import com.google.zxing.common.BitMatrix;
import com.google.zxing.common.HybridBinarizer;
import java.util.Random;
import office.Office;

/** Labels of parcels are drawn as barcodes, and read again. */
public final class UpBarcodes {
    public static void main(String[] arguments) throws Exception {
        int days = Office.days(arguments, 20);
        for (int day = 0; day < days; day++) {
            Random random = new Random(day);
            for (int parcel = 0; parcel < 4; parcel++) {
                String address = "customer " + random.nextInt(500) + ", street " + random.nextInt(90) + ", AT " + random.nextInt(9_999);
                Office.add(read(BarcodeFormat.QR_CODE, address, 240, 240).hashCode());
                Office.add(read(BarcodeFormat.CODE_128, "PARCEL" + random.nextInt(1_000_000), 320, 40).hashCode());
                Office.add(read(BarcodeFormat.EAN_13, article(random), 240, 40).hashCode());
            }
        }
        Office.close();
    }

    private static String read(BarcodeFormat format, String text, int width, int height) throws Exception {
        BitMatrix drawn = new MultiFormatWriter().encode(text, format, width, height);
        BinaryBitmap bitmap = new BinaryBitmap(new HybridBinarizer(new Picture(drawn)));
        try {
            return new MultiFormatReader().decode(bitmap).getText();
        } catch (NotFoundException illegible) {
            return "";
        }
    }

    /** Twelve digits and their check digit. */
    private static String article(Random random) {
        StringBuilder digits = new StringBuilder("4");
        int sum = 4;
        for (int place = 1; place < 12; place++) {
            int digit = random.nextInt(10);
            digits.append(digit);
            sum += place % 2 == 0 ? digit : 3 * digit;
        }
        return digits.append((10 - sum % 10) % 10).toString();
    }

    /** A drawn code as a scanner sees it. */
    private static final class Picture extends LuminanceSource {
        private final BitMatrix drawn;

        Picture(BitMatrix drawn) {
            super(drawn.getWidth(), drawn.getHeight());
            this.drawn = drawn;
        }

        @Override
        public byte[] getRow(int y, byte[] row) {
            byte[] line = row != null && row.length >= getWidth() ? row : new byte[getWidth()];
            for (int x = 0; x < getWidth(); x++) {
                line[x] = (byte) (drawn.get(x, y) ? 20 : 230);
            }
            return line;
        }

        @Override
        public byte[] getMatrix() {
            byte[] matrix = new byte[getWidth() * getHeight()];
            for (int y = 0; y < getHeight(); y++) {
                System.arraycopy(getRow(y, null), 0, matrix, y * getWidth(), getWidth());
            }
            return matrix;
        }
    }
}
