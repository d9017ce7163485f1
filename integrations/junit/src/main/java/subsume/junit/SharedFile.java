package subsume.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** A text file that a build keeps, and that tests of several JVMs may change at the same time. */
final class SharedFile {
    private SharedFile() {
    }

    /** Takes a line of the file. */
    interface Lines {
        void take(String line, int number);
    }

    /** The text of the file; {@code setting} names it, and {@code writing} has it written. */
    static String read(Path file, String setting, String writing) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException error) {
            throw new ExtensionConfigurationException(
                    setting + ": cannot read " + file + " (" + writing + " writes it): " + error, error);
        }
    }

    /** Hands on the lines of a text, but for empty ones and comments. */
    static void forEachLine(String text, Lines lines) {
        int number = 0;
        for (String line : text.split("\n")) {
            number++;
            line = line.trim();
            if (!line.isEmpty() && !line.startsWith("#")) {
                lines.take(line, number);
            }
        }
    }

    /** Replaces the text of the file, which is empty if there is none. One thread at a time may do so. */
    static void change(Path file, String setting, UnaryOperator<String> change) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            try (FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                channel.lock();
                ByteBuffer old = ByteBuffer.allocate((int) channel.size());
                while (old.hasRemaining() && channel.read(old) >= 0) {
                    // Until the end.
                }
                String text = change.apply(new String(old.array(), 0, old.position(), StandardCharsets.UTF_8));
                ByteBuffer written = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                channel.truncate(0);
                channel.position(0);
                while (written.hasRemaining()) {
                    channel.write(written);
                }
            }
        } catch (IOException error) {
            throw new UncheckedIOException(setting + ": cannot write " + file, error);
        }
    }
}
