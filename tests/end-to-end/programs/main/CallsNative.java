import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Methods that the JVM or a library implements natively, or that a compiler knows by name. */
public final class CallsNative {
    public static void main(String[] args) throws Exception {
        byte[] data = "abcdefgh".repeat(1000).getBytes(StandardCharsets.UTF_8);
        CRC32 crc = new CRC32();
        crc.update(data);
        System.out.println(Long.toHexString(crc.getValue()));
        for (String algorithm : new String[] {"MD5", "SHA-1", "SHA-256", "SHA-512", "SHA3-256"}) {
            MessageDigest digest = MessageDigest.getInstance(algorithm);
            for (int i = 0; i < 20; i++) {
                digest.update(data);
            }
            System.out.println(algorithm + " " + new BigInteger(1, digest.digest()).toString(16));
        }
        BigInteger prime = BigInteger.ONE.shiftLeft(521).subtract(BigInteger.ONE);
        System.out.println(BigInteger.valueOf(3).modPow(prime.shiftRight(1), prime).bitLength());
        System.out.println(prime.multiply(prime).mod(BigInteger.valueOf(1_000_003)));

        Deflater deflater = new Deflater();
        deflater.setInput(data);
        deflater.finish();
        byte[] packed = new byte[data.length];
        int length = deflater.deflate(packed);
        Inflater inflater = new Inflater();
        inflater.setInput(packed, 0, length);
        byte[] unpacked = new byte[data.length];
        System.out.println(inflater.inflate(unpacked) + " " + Arrays.equals(data, unpacked));

        Path file = Files.createTempFile("calls-native", ".txt");
        Files.writeString(file, "line one\nline two\n");
        System.out.println(Files.readAllLines(file) + " " + Files.size(file));
        Files.delete(file);

        Object object = new int[] {1, 2, 3};
        System.out.println(((int[]) object).clone().length + " " + (object.hashCode() == System.identityHashCode(object)));
        System.out.println(object.getClass().getName() + " " + ("a" + "b").intern().equals("ab"));
        ByteBuffer direct = ByteBuffer.allocateDirect(64);
        direct.putLong(0, 0x1122334455667788L).putDouble(8, Math.PI);
        System.out.println(direct.get(3) + " " + direct.getDouble(8));
        System.out.println(Math.sin(1) + " " + Math.cbrt(27) + " " + Math.fma(2.0, 3.0, 4.0) + " "
            + StrictMath.exp(1) + " " + Math.floor(-1.5) + " " + Math.round(2.5));
        char[] text = new char[100];
        Arrays.fill(text, 'x');
        System.arraycopy(text, 0, text, 1, 99);
        System.out.println(new String(text).indexOf("xy") + " " + Character.toUpperCase('\u00e4'));
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        encoded.write(java.util.Base64.getEncoder().encode(Arrays.copyOf(data, 30)));
        System.out.println(encoded + " " + Runtime.getRuntime().availableProcessors());
    }
}
