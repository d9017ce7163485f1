import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.security.MessageDigest;

/** Big numbers and digests, whose kernels have machine code of the JVM. */
public class BigNumbers {
    static BigInteger factorial(int n) {
        BigInteger product = BigInteger.ONE;
        for (int i = 2; i <= n; i++) {
            product = product.multiply(BigInteger.valueOf(i));
        }
        return product;
    }

    public static void main(String[] args) throws Exception {
        BigInteger big = factorial(40);
        System.out.println(big + " " + big.mod(BigInteger.valueOf(1_000_003)) + big.bitLength() + big.shiftRight(50).negate());
        System.out.println(BigInteger.TWO.modPow(big, BigInteger.valueOf(1_000_000_007)) + " " + big.gcd(factorial(7)));
        System.out.println(new BigDecimal("1").divide(new BigDecimal("7"), new MathContext(30)));
        byte[] digest = MessageDigest.getInstance("SHA-256").digest("text".getBytes());
        System.out.println(new BigInteger(1, digest).toString(16));
        System.out.println(java.util.Base64.getEncoder().encodeToString(digest).length());
    }
}
