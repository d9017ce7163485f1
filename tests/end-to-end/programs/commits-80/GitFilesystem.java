/** Version 80 of a file system with commits. */
class GitFilesystem {
    private int head;

    /** The same in both versions. */
    void commit(String text) {
        head = basicCommit(text, head);
    }

    int head() {
        return head;
    }

    private int basicCommit(String text, int parent) {
        return 31 * signature(text, parent) + hash(text) + checked(text);
    }

    private int hash(String text) {
        int hash = 17;
        for (int at = 0; at < text.length(); at++) {
            hash = hash * 31 + text.charAt(at);
        }
        return hash;
    }

    /** Version 70 has it and does not call it. */
    int checked(String text) {
        int sum = 0;
        for (int at = 0; at < text.length(); at++) {
            sum = Integer.rotateLeft(sum, 1) + text.charAt(at);
        }
        return sum;
    }

    /** New in this version. */
    private int signature(String text, int parent) {
        int signature = parent;
        for (int at = 0; at < text.length(); at++) {
            signature = 31 * signature + Integer.reverse(text.charAt(at));
        }
        return signature;
    }
}
