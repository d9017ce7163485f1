package apps.batik;

import apps.App;
import apps.Digest;
import apps.Pixels;
import apps.Size;
import java.awt.image.BufferedImage;
import java.net.URL;
import org.apache.batik.transcoder.TranscoderException;
import org.apache.batik.transcoder.TranscoderInput;
import org.apache.batik.transcoder.TranscoderOutput;
import org.apache.batik.transcoder.image.ImageTranscoder;

/** Batik rasterises the bundled drawing at several sizes; the digest covers the images. */
public final class Rasterising implements App {
    private static final int SMALLEST_WIDTH = 300;
    private static final int STEP = 60;

    @Override
    public String name() {
        return "batik";
    }

    @Override
    public String iterate(Size size) throws TranscoderException {
        System.setProperty("java.awt.headless", "true");
        URL drawing = Rasterising.class.getResource("/harbour.svg");
        Digest digest = new Digest();
        for (int i = 0; i < size.of(2, 16); i++) {
            PixelDigest pixels = new PixelDigest(digest);
            pixels.addTranscodingHint(ImageTranscoder.KEY_WIDTH, (float) (SMALLEST_WIDTH + STEP * i));
            pixels.transcode(new TranscoderInput(drawing.toString()), new TranscoderOutput());
        }
        return digest.text();
    }

    /** Takes the image as it is: an encoder's output would depend on the platform's zlib. */
    private static final class PixelDigest extends ImageTranscoder {
        private final Digest digest;

        PixelDigest(Digest digest) {
            this.digest = digest;
        }

        @Override
        public BufferedImage createImage(int width, int height) {
            return new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
        }

        @Override
        public void writeImage(BufferedImage image, TranscoderOutput output) {
            Pixels.add(image, digest);
        }
    }
}
