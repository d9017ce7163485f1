package app;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import office.Letters;
import office.Office;
import org.apache.commons.codec.binary.Base32;
import org.apache.commons.codec.binary.Base64;
import org.apache.commons.codec.binary.Hex;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.codec.language.DoubleMetaphone;
import org.apache.commons.codec.language.Metaphone;
import org.apache.commons.codec.language.bm.BeiderMorseEncoder;
import org.apache.commons.codec.net.QuotedPrintableCodec;
import org.apache.commons.codec.net.URLCodec;

/** Letters and names in many codes. */
public final class UpCodec {
    public static void main(String[] arguments) throws Exception {
        int days = Office.days(arguments, 20);
        BeiderMorseEncoder beiderMorse = new BeiderMorseEncoder();
        for (int day = 0; day < days; day++) {
            Random random = new Random(day);
            Office.add(beiderMorse.encode("Silber" + (day % 2 == 0 ? "mann" : "stein")).length());
            for (int number = 0; number < 30; number++) {
                Office.add(codes(Letters.letter(random)));
            }
        }
        Office.close();
    }

    private static long codes(String letter) throws Exception {
        byte[] bytes = letter.getBytes(StandardCharsets.UTF_8);
        long sum = Base64.decodeBase64(Base64.encodeBase64String(bytes)).length;
        sum += new Base32().encodeAsString(bytes).length();
        sum += Hex.decodeHex(Hex.encodeHexString(bytes).toCharArray()).length;
        sum += DigestUtils.sha256Hex(bytes).hashCode();
        sum += new URLCodec().decode(new URLCodec().encode(letter)).length();
        sum += new QuotedPrintableCodec().encode(letter).length();
        for (String word : letter.split("\\W+")) {
            sum += new Metaphone().encode(word).hashCode() + new DoubleMetaphone().encode(word).hashCode();
        }
        return sum;
    }
}
