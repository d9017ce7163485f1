package apps;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;

/** Adds an image to a digest, coarsely enough that JDKs agree. */
public final class Pixels {
    /** An image is looked at in so many fields across and down. */
    private static final int FIELDS = 8;

    /** Mean values are rounded to this many levels of brightness. */
    private static final int LEVELS = 16;

    /** Every so many pixels one is looked at, across and down. */
    private static final int STEP = 2;

    private Pixels() {}

    /**
     * Adds size and mean colours of the image's fields.
     *
     * <p>Single pixels will not do: the JDKs' own rasterisers differ by a
     * shade here and there along edges. An application that draws something
     * else changes whole fields.
     *
     * @param image one whose pixels are ints, red above green above blue
     */
    public static void add(BufferedImage image, Digest digest) {
        digest.add(image.getWidth());
        digest.add(image.getHeight());
        // Straight from the buffer and not pixel by pixel through the colour
        // model: the check should be small beside what is checked.
        int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
        for (int row = 0; row < FIELDS; row++) {
            for (int column = 0; column < FIELDS; column++) {
                addField(pixels, image.getWidth(), image.getHeight(), row, column, digest);
            }
        }
    }

    private static void addField(int[] pixels, int width, int height, int row, int column, Digest digest) {
        int red = 0;
        int green = 0;
        int blue = 0;
        int count = 0;
        for (int y = row * height / FIELDS; y < (row + 1) * height / FIELDS; y += STEP) {
            for (int x = column * width / FIELDS; x < (column + 1) * width / FIELDS; x += STEP) {
                int pixel = pixels[y * width + x];
                red += pixel >>> 16 & 0xFF;
                green += pixel >>> 8 & 0xFF;
                blue += pixel & 0xFF;
                count++;
            }
        }
        digest.write(red / count * LEVELS / 256);
        digest.write(green / count * LEVELS / 256);
        digest.write(blue / count * LEVELS / 256);
    }
}
