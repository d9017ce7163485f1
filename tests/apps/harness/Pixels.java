package apps;

import java.awt.image.BufferedImage;

/** Adds an image to a digest, coarsely enough that JDKs agree. */
public final class Pixels {
    /** An image is looked at in so many fields across and down. */
    private static final int FIELDS = 8;

    /** Mean values are rounded to this many levels of brightness. */
    private static final int LEVELS = 16;

    private Pixels() {}

    /**
     * Adds size and mean colours of the image's fields.
     *
     * <p>Single pixels will not do: the JDKs' own rasterisers differ by a
     * shade here and there along edges. An application that draws something
     * else changes whole fields.
     */
    public static void add(BufferedImage image, Digest digest) {
        digest.add(image.getWidth());
        digest.add(image.getHeight());
        for (int row = 0; row < FIELDS; row++) {
            int top = row * image.getHeight() / FIELDS;
            int height = (row + 1) * image.getHeight() / FIELDS - top;
            for (int column = 0; column < FIELDS; column++) {
                int left = column * image.getWidth() / FIELDS;
                int width = (column + 1) * image.getWidth() / FIELDS - left;
                int[] field = image.getRGB(left, top, width, height, null, 0, width);
                for (int shift = 0; shift < 32; shift += 8) {
                    digest.write(mean(field, shift) * LEVELS / 256);
                }
            }
        }
    }

    private static int mean(int[] pixels, int shift) {
        int sum = 0;
        for (int pixel : pixels) {
            sum += pixel >>> shift & 0xFF;
        }
        return sum / pixels.length;
    }
}
