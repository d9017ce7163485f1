/** Section 3.6, bloat: strings built for an assertion that never fires. */
class UnusedMessages {
    static class Node { final int n; Node next; Node(int n) { this.n = n; } public String toString() { return "Node " + n + (next == null ? "" : "," + next); } }

    static void isTrue(boolean condition, String message) { if (!condition) throw new IllegalStateException(message); }

    public static void main(String[] args) {
        Node node = null;
        for (int i = 0; i < 12; i++) { Node n = new Node(i); n.next = node; node = n; }
        int sum = 0;
        for (Node n = node; n != null; n = n.next) { isTrue(n.n >= 0, "bug: " + n); sum += n.n; }
        System.out.println(sum);
    }
}
