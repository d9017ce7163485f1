/** A sequence of commits of a file in memory (Bergel et al. 2012, figure 13). */
public class Commits {
    public static void main(String[] arguments) {
        GitFilesystem files = new GitFilesystem();
        StringBuilder file = new StringBuilder();
        for (int number = 0; number < 500; number++) {
            file.append("line ").append(number % 10).append('\n');
            if (file.length() > 400) {
                file.setLength(0);
            }
            files.commit(file.toString());
        }
        System.out.println(Integer.toHexString(files.head()));
    }
}
