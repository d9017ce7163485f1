package apps.pdfbox;

import apps.Words;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.font.PDType0Font;
import org.apache.pdfbox.pdmodel.graphics.image.LosslessFactory;
import org.apache.pdfbox.pdmodel.graphics.image.PDImageXObject;
import org.apache.pdfbox.pdmodel.graphics.state.PDExtendedGraphicsState;

/** Makes the PDF that is rendered: text in an embedded font, curves, images, transparency. */
final class Brochure {
    private static final String FONT = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";
    private static final int LINES = 44;

    private final Words words = new Words(31, 4_000);
    private final PDDocument document;
    private final PDFont font;

    private Brochure(PDDocument document) throws IOException {
        this.document = document;
        // The font that PDFBox brings along, embedded: no font of the
        // machine is then asked for when the page is drawn.
        try (InputStream file = PDDocument.class.getResourceAsStream(FONT)) {
            font = PDType0Font.load(document, file);
        }
    }

    /** The bytes of a PDF of so many pages. */
    static byte[] pdf(int pages) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PDDocument document = new PDDocument()) {
            Brochure brochure = new Brochure(document);
            for (int i = 0; i < pages; i++) {
                brochure.addPage(i);
            }
            document.save(bytes);
        }
        return bytes.toByteArray();
    }

    private void addPage(int number) throws IOException {
        PDPage page = new PDPage(PDRectangle.A4);
        document.addPage(page);
        try (PDPageContentStream content = new PDPageContentStream(document, page)) {
            drawCurves(content);
            drawImage(content, number);
            writeText(content, number);
        }
    }

    private void drawCurves(PDPageContentStream content) throws IOException {
        for (int i = 0; i < 60; i++) {
            PDExtendedGraphicsState state = new PDExtendedGraphicsState();
            state.setNonStrokingAlphaConstant(0.2f + words.number(60) / 100f);
            content.setGraphicsStateParameters(state);
            content.setNonStrokingColor(new Color(words.number(256), words.number(256), words.number(256)));
            content.moveTo(x(), y());
            content.curveTo(x(), y(), x(), y(), x(), y());
            content.curveTo(x(), y(), x(), y(), x(), y());
            content.closePath();
            if (i % 2 == 0) {
                content.fill();
            } else {
                content.setLineDashPattern(new float[] {4, 2, 1, 2}, 0);
                content.setLineWidth(0.5f + words.number(4));
                content.stroke();
            }
        }
    }

    private void drawImage(PDPageContentStream content, int number) throws IOException {
        BufferedImage picture = new BufferedImage(120, 90, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < picture.getHeight(); y++) {
            for (int x = 0; x < picture.getWidth(); x++) {
                picture.setRGB(x, y, (x * x + y * y * (number + 2)) * 0x010307 & 0xFFFFFF);
            }
        }
        PDImageXObject image = LosslessFactory.createFromImage(document, picture);
        content.drawImage(image, 60 + words.number(200), 100 + words.number(400), 240, 180);
    }

    private void writeText(PDPageContentStream content, int number) throws IOException {
        PDExtendedGraphicsState opaque = new PDExtendedGraphicsState();
        opaque.setNonStrokingAlphaConstant(1f);
        content.setGraphicsStateParameters(opaque);
        content.setNonStrokingColor(Color.BLACK);
        content.beginText();
        content.setFont(font, 11);
        content.setLeading(16);
        content.newLineAtOffset(50, 780);
        content.showText("Page " + (number + 1));
        for (int line = 0; line < LINES; line++) {
            content.newLine();
            content.showText(words.sentence(9));
        }
        content.endText();
    }

    private float x() {
        return words.number((int) PDRectangle.A4.getWidth());
    }

    private float y() {
        return words.number((int) PDRectangle.A4.getHeight());
    }
}
