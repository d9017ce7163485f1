package apps;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A stream that keeps nothing but a digest of what is written to it.
 *
 * <p>Single bytes are buffered, because printing code often writes one byte
 * at a time and the digest should not become the hot spot of an application.
 */
public final class Digest extends OutputStream {
    private static final int SHOWN_BYTES = 8;

    private final MessageDigest digest;
    private final byte[] buffer = new byte[8192];
    private int used;

    public Digest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    @Override
    public void write(int b) {
        if (used == buffer.length) {
            flush();
        }
        buffer[used++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        flush();
        digest.update(bytes, offset, length);
    }

    @Override
    public void flush() {
        digest.update(buffer, 0, used);
        used = 0;
    }

    /** Adds the UTF-8 bytes of a text and a line feed. */
    public void add(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        write(bytes, 0, bytes.length);
        write('\n');
    }

    /** Adds an int, highest byte first. */
    public void add(int value) {
        write(value >>> 24);
        write(value >>> 16);
        write(value >>> 8);
        write(value);
    }

    /** The digest of all that was written: sixteen hexadecimal digits. */
    public String text() {
        flush();
        return HexFormat.of().formatHex(digest.digest(), 0, SHOWN_BYTES);
    }
}
