package apps.pdfbox;

import apps.App;
import apps.Digest;
import apps.Pixels;
import apps.Size;
import java.io.IOException;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.apache.pdfbox.text.PDFTextStripper;

/** PDFBox draws the pages of a PDF and extracts its text; the digest covers images and text. */
public final class Pages implements App {
    private static final int DOTS_PER_INCH = 60;

    private byte[] pdf;

    @Override
    public String name() {
        return "pdfbox";
    }

    @Override
    public void prepare(Size size) throws IOException {
        System.setProperty("java.awt.headless", "true");
        System.setProperty("org.apache.commons.logging.Log", "org.apache.commons.logging.impl.NoOpLog");
        pdf = Brochure.pdf(size.of(2, 30));
    }

    @Override
    public String iterate(Size size) throws IOException {
        Digest digest = new Digest();
        try (PDDocument document = Loader.loadPDF(pdf)) {
            PDFRenderer renderer = new PDFRenderer(document);
            for (int i = 0; i < document.getNumberOfPages(); i++) {
                Pixels.add(renderer.renderImageWithDPI(i, DOTS_PER_INCH), digest);
            }
            digest.add(new PDFTextStripper().getText(document));
        }
        return digest.text();
    }
}
