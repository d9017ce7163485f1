package jp2;

/** A calling context, of one thread: what was called from which call site of its parent. */
public final class Node {
    /** The context that called. */
    public final Node parent;

    /** Number of the method. */
    final int method;

    /** Position of the call in the calling method. */
    final int site;

    /** Executed bytecodes, added up by instrumented code. */
    public long bytecodes;

    long calls;

    /** The children: a hash table with open addressing, whose length is a power of two. */
    private Node[] table = new Node[4];

    private int children;

    Node(Node parent, int method, int site) {
        this.parent = parent;
        this.method = method;
        this.site = site;
    }

    /** The child for a method called from a site, made if it is not there. */
    Node child(int calledMethod, int callSite) {
        Node[] nodes = table;
        int mask = nodes.length - 1;
        int index = hash(calledMethod, callSite) & mask;
        for (Node node = nodes[index]; node != null; node = nodes[index]) {
            if (node.method == calledMethod && node.site == callSite) {
                return node;
            }
            index = index + 1 & mask;
        }
        return add(new Node(this, calledMethod, callSite));
    }

    private Node add(Node child) {
        if (2 * ++children > table.length) {
            Node[] larger = new Node[2 * table.length];
            for (Node node : table) {
                if (node != null) {
                    put(larger, node);
                }
            }
            table = larger;
        }
        put(table, child);
        return child;
    }

    private static void put(Node[] nodes, Node node) {
        int mask = nodes.length - 1;
        int index = hash(node.method, node.site) & mask;
        while (nodes[index] != null) {
            index = index + 1 & mask;
        }
        nodes[index] = node;
    }

    private static int hash(int method, int site) {
        int hash = (method * 31 + site) * 0x9E3779B9;
        return hash ^ hash >>> 15;
    }

    /** Adds this context and all below it to contexts, calls and bytecodes. */
    void sum(long[] sums) {
        sums[0]++;
        sums[1] += calls;
        sums[2] += bytecodes;
        for (Node node : table) {
            if (node != null) {
                node.sum(sums);
            }
        }
    }
}
