import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The example of docs/explanation/typestate.md. */
public class ReadsInvoices {
    private final String file;

    private ReadsInvoices(String file) {
        this.file = file;
    }

    /** The sum of the amounts, and how many bytes are left in the file. */
    int load() throws IOException {
        InputStream in = new FileInputStream(file);
        int sum = parse(in);
        in.close();
        return sum + parse(in);
    }

    private int parse(InputStream in) throws IOException {
        int sum = 0;
        for (int b = in.read(); b >= 0; b = in.read()) {
            sum += b;
        }
        return sum;
    }

    boolean isEmpty() throws IOException {
        return new FileInputStream(file).read() < 0;
    }

    public static void main(String[] arguments) throws IOException {
        Path file = Files.createTempFile("invoices", ".txt");
        Files.write(file, new byte[100]);
        ReadsInvoices invoices = new ReadsInvoices(file.toString());
        for (int i = 0; i < 3; i++) {
            System.out.println(invoices.isEmpty());
        }
        try {
            System.out.println(invoices.load());
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        Files.delete(file);
    }
}
