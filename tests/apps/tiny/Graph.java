package apps.tiny;

import apps.Words;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Nodes in a fixed order. */
final class Graph implements Iterable<Node> {
    private final List<Node> nodes = new ArrayList<>();

    static Graph random(Words words, int nodes, int edges) {
        Graph graph = new Graph();
        for (int i = 0; i < nodes; i++) {
            graph.nodes.add(new Node());
        }
        for (int i = 0; i < edges; i++) {
            Node source = graph.node(words.number(nodes));
            source.add(new Edge(graph.node(words.number(nodes)), 1 + words.number(100)));
        }
        return graph;
    }

    Node node(int index) {
        return nodes.get(index);
    }

    /** Makes all nodes unreached. */
    void forget() {
        for (Node node : this) {
            node.setDistance(Node.UNREACHED);
        }
    }

    @Override
    public Iterator<Node> iterator() {
        return nodes.iterator();
    }
}
