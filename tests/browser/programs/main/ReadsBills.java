import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Bills are read once more after their files were closed, and other files are never closed. */
public abstract class ReadsBills {
    abstract int load() throws IOException;

    abstract boolean isEmpty() throws IOException;

    /** The sum of the amounts in a file. */
    static int parse(InputStream in) throws IOException {
        int sum = 0;
        int amount;
        do {
            amount = in.read();
            sum += Math.max(0, amount);
        } while (amount >= 0);
        return sum;
    }

    static final class FromFile extends ReadsBills {
        private final String file;

        FromFile(String file) {
            this.file = file;
        }

        @Override
        int load() throws IOException {
            InputStream in = new FileInputStream(file);
            int sum = parse(in);
            in.close();
            try {
                return sum + parse(in);
            } catch (IOException e) {
                return sum;
            }
        }

        @Override
        boolean isEmpty() throws IOException {
            return new FileInputStream(file).read() < 0;
        }
    }

    public static void main(String[] arguments) throws IOException {
        String file = "bills.txt";
        try (FileOutputStream out = new FileOutputStream(file)) {
            out.write(new byte[20_000]);
        }
        ReadsBills bills = new FromFile(file);
        int sum = bills.load() + bills.load();
        for (int time = 0; time < 4; time++) {
            sum += bills.isEmpty() ? 1 : 0;
        }
        System.out.println(sum);
    }
}
