package app;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import office.Letters;
import office.Office;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.lz4.BlockLZ4CompressorOutputStream;

/** Mail leaves the house in packets: some as archives, the urgent ones compressed at once. */
public final class Compress649 {
    public static void main(String[] arguments) throws IOException {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Random random = new Random(day);
            Office.add(unpacked(packed(random)));
            Office.add(urgent(random).length);
            Office.afternoon(day);
        }
        Office.close();
    }

    private static byte[] packed(Random random) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream archive = new TarArchiveOutputStream(bytes)) {
            for (int number = 0; number < 20; number++) {
                byte[] letter = Letters.letter(random).getBytes(StandardCharsets.UTF_8);
                TarArchiveEntry entry = new TarArchiveEntry("letters/" + number);
                entry.setModTime(0);
                entry.setSize(letter.length);
                archive.putArchiveEntry(entry);
                archive.write(letter);
                archive.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    private static long unpacked(byte[] bytes) throws IOException {
        long sum = 0;
        try (TarArchiveInputStream archive = new TarArchiveInputStream(new ByteArrayInputStream(bytes))) {
            while (archive.getNextEntry() != null) {
                sum = sum * 31 + Arrays.hashCode(archive.readAllBytes());
            }
        }
        return sum;
    }

    private static byte[] urgent(Random random) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (BlockLZ4CompressorOutputStream packet = new BlockLZ4CompressorOutputStream(bytes)) {
            for (int number = 0; number < 10; number++) {
                packet.write(Letters.letter(random).getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }
}
