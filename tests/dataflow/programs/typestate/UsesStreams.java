import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.FileReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** What programs do with streams, rightly and wrongly; each method makes its own. */
public class UsesStreams {
    private static String path;
    private static Object kept;

    public static void main(String[] arguments) throws IOException {
        Path file = Files.createTempFile("streams", ".txt");
        Files.write(file, "one\ntwo\n".getBytes());
        path = file.toString();
        closes();
        readsAfterClose();
        for (int i = 0; i < 3; i++) {
            neverCloses(i);
        }
        closesWrapper();
        closesReader();
        obtains();
        closesTwice();
        callsItself();
        fails();
        isNotMade();
        readsArray();
        System.out.println(handsOn(new Counting(new FileInputStream(path))));
        Files.delete(file);
    }

    private static void closes() throws IOException {
        try (InputStream in = new FileInputStream(path)) {
            in.read(new byte[10], 2, 3);
            in.skip(2L);
        }
    }

    private static void readsAfterClose() throws IOException {
        InputStream in = new FileInputStream(path);
        in.read();
        in.close();
        for (int i = 0; i < 2; i++) {
            try {
                in.read();
            } catch (IOException e) {
                System.out.println("closed");
            }
        }
    }

    private static void neverCloses(int reads) throws IOException {
        InputStream in = new FileInputStream(path);
        for (int i = 0; i < reads; i++) {
            in.read();
        }
        kept = in;
    }

    private static void closesWrapper() throws IOException {
        InputStream in = new BufferedInputStream(new FileInputStream(path));
        in.read();
        in.close();
    }

    private static void closesReader() throws IOException {
        try (BufferedReader in = new BufferedReader(new FileReader(path))) {
            System.out.println(in.readLine());
        }
    }

    private static void obtains() throws IOException {
        InputStream in = Files.newInputStream(Path.of(path));
        in.read();
        in.close();
        try {
            in.read();
        } catch (IOException e) {
            System.out.println("closed");
        }
    }

    private static void closesTwice() throws IOException {
        InputStream in = new FileInputStream(path);
        in.close();
        in.close();
    }

    /** What an object does with itself does not count. */
    static class Twice extends FileInputStream {
        Twice(String path) throws IOException {
            super(path);
        }

        @Override
        public int read() throws IOException {
            return super.read() + this.available();
        }

        int twice() throws IOException {
            int both = read() + this.read();
            super.close();
            return both;
        }
    }

    private static void callsItself() throws IOException {
        System.out.println(new Twice(path).twice());
    }

    static class Failing extends InputStream {
        @Override
        public int read() throws IOException {
            throw new IOException("fails");
        }
    }

    private static void fails() throws IOException {
        try (InputStream in = new Failing()) {
            in.read();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
    }

    private static void isNotMade() {
        try {
            kept = new FileInputStream(path + "/missing");
        } catch (IOException e) {
            System.out.println("missing");
        }
    }

    /** Closing it means nothing. */
    private static void readsArray() throws IOException {
        InputStream in = new ByteArrayInputStream(new byte[3]);
        in.close();
        in.read();
    }

    static class Counting extends FilterInputStream {
        int count;

        Counting(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            count++;
            return super.read();
        }
    }

    private static int handsOn(Counting in) throws IOException {
        while (in.read() >= 0) {
        }
        in.close();
        return in.count;
    }
}
