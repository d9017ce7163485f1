/**
 * Figure 2(b) of "Scalable Runtime Bloat Detection Using Abstract Dynamic Slicing": a file that is
 * uninitialised, open and empty, open and not empty, and closed, when somebody reads it.
 */
public class HistoryOfFile {
    static class File {
        private int length;

        void create() {
            length = 0;
        }

        void put(int value) {
            length++;
        }

        int get() {
            return length;
        }

        void close() {
        }
    }

    public static void main(String[] arguments) {
        File file = new File();
        file.create();
        for (int i = 0; i < 100; i++) {
            file.put(i);
            if (i % 2 == 0) {
                file.put(-i);
            }
        }
        file.close();
        System.out.println(file.get());
    }
}
