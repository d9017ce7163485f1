import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Turns {@code bipush 42; ireturn} of the compiled control class into {@code bipush 42; areturn}, which no verifier may
 * accept. Usage: {@code BreakControl IN OUT}.
 */
public final class BreakControl {
    private static final int BIPUSH = 0x10;
    private static final int IRETURN = 0xac;
    private static final int ARETURN = 0xb0;

    private BreakControl() {}

    public static void main(String[] arguments) throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(arguments[0]));
        int broken = 0;
        for (int at = 0; at + 2 < bytes.length; at++) {
            if (bytes[at] == BIPUSH && bytes[at + 1] == 42 && (bytes[at + 2] & 0xff) == IRETURN) {
                bytes[at + 2] = (byte) ARETURN;
                broken++;
            }
        }
        if (broken != 1) {
            throw new IllegalStateException("expected one method to break, found " + broken);
        }
        Files.write(Path.of(arguments[1]), bytes);
    }
}
