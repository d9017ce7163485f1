import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;

/** Prints how long its input is, with a checksum; of a number of bytes only, if one is given. */
public final class ReadsInput {
    public static void main(String[] args) throws IOException {
        int most = args.length > 0 ? Integer.parseInt(args[0]) : Integer.MAX_VALUE;
        InputStream in = System.in;
        CRC32 sum = new CRC32();
        byte[] bytes = new byte[4096];
        int length = 0;
        while (length < most) {
            int read = in.read(bytes, 0, Math.min(bytes.length, most - length));
            if (read < 0) {
                break;
            }
            sum.update(bytes, 0, read);
            length += read;
        }
        System.out.println(length + " bytes, " + Long.toHexString(sum.getValue()));
    }
}
