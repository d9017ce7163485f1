/** A tree, built and copied recursively; the chain of receivers grows with the depth. */
class Recursion {
    static class Node {
        Node left, right;
        int key;

        Node(int key) { this.key = key; }

        void insert(int k) {
            if (k < key) {
                if (left == null) left = new Node(k); else left.insert(k);
            } else {
                if (right == null) right = new Node(k); else right.insert(k);
            }
        }

        Node copy() {
            Node n = new Node(key);
            if (left != null) n.left = left.copy();
            if (right != null) n.right = right.copy();
            return n;
        }

        int sum() {
            return key + (left == null ? 0 : left.sum()) + (right == null ? 0 : right.sum());
        }
    }

    static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }

    public static void main(String[] args) {
        Node root = new Node(50);
        int k = 17;
        for (int i = 0; i < 20; i++) {
            k = (k * 31 + 7) % 101;
            root.insert(k);
        }
        System.out.println(root.copy().sum() + depth(30));
    }
}
