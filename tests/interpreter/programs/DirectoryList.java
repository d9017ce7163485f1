import java.util.ArrayList;
import java.util.List;

/** Figure 14, eclipse: a list of the files in a package is built only to ask whether there is one. */
class DirectoryList {
    static final String[] FILES = {"Parser.java", "Scanner.java", "readme.txt", "Lexer.java", "Token.java", "Node.java", "Tree.java", "Type.java"};

    static class ClasspathDirectory {
        final int packages;
        ClasspathDirectory(int packages) { this.packages = packages; }

        boolean isPackage(int number) { return directoryList(number) != null; }

        List<String> directoryList(int number) {
            List<String> ret = new ArrayList<>(); // problematic
            for (int i = 0; i < FILES.length && number < packages; i++)
                if (FILES[i].endsWith(".java")) ret.add(FILES[i].substring(0, FILES[i].length() - 5));
            return ret.isEmpty() ? null : ret;
        }
    }

    /** What the program is for: every value is used. */
    static int work() {
        int[] counts = new int[64];
        for (int i = 0; i < 400; i++) counts[i * 7 % 64] += i;
        int sum = 0;
        for (int count : counts) if (count % 3 == 0) sum += count;
        return sum;
    }

    public static void main(String[] args) {
        ClasspathDirectory directory = new ClasspathDirectory(6);
        int found = 0;
        for (int i = 0; i < 8; i++) if (directory.isPackage(i)) found++;
        System.out.println(found + work());
    }
}
