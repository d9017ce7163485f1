package subsume.gradle;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Passes on each line that a process writes. */
final class Lines extends OutputStream {
    private final Consumer<String> receiver;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    Lines(Consumer<String> receiver) {
        this.receiver = receiver;
    }

    @Override
    public void write(int octet) {
        if (octet == '\n') {
            end();
        } else {
            line.write(octet);
        }
    }

    /** Passes on a last line that has no end. */
    @Override
    public void close() {
        if (line.size() > 0) {
            end();
        }
    }

    private void end() {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        receiver.accept(text);
    }
}
