package apps.tiny;

import apps.App;
import apps.Digest;
import apps.Size;
import apps.Words;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.PriorityQueue;
import java.util.function.IntConsumer;

/**
 * Goes through a graph by its accessors: nearly all of its calls are steps of
 * iterators, getters of nodes and edges, and visitors.
 */
public final class Traversing implements App {
    private static final int NODES = 4_000;
    private static final int EDGES = 24_000;

    @Override
    public String name() {
        return "graph";
    }

    @Override
    public String iterate(Size size) {
        int searches = size.of(30, 300);
        Digest digest = new Digest();
        Words words = new Words(6, 100);
        Graph graph = Graph.random(words, NODES, EDGES);
        for (int i = 0; i < searches; i++) {
            Node start = graph.node(words.number(NODES));
            digest.add(breadthFirst(graph, start));
            digest.add(shortestPaths(graph, start));
            if (i % 4 == 0) {
                digest.add(components(graph));
                digest.add(ranks(graph));
            }
        }
        return digest.text();
    }

    /** The sum of all levels, told to a visitor. */
    private static int breadthFirst(Graph graph, Node start) {
        graph.forget();
        int[] sum = new int[1];
        IntConsumer visitor = level -> sum[0] = sum[0] * 31 + level;
        Deque<Node> queue = new ArrayDeque<>();
        start.setDistance(0);
        queue.addLast(start);
        while (!queue.isEmpty()) {
            Node node = queue.removeFirst();
            visitor.accept(node.distance());
            for (Edge edge : node) {
                if (!edge.target().isReached()) {
                    edge.target().setDistance(node.distance() + 1);
                    queue.addLast(edge.target());
                }
            }
        }
        return sum[0];
    }

    /** Dijkstra's algorithm, with a heap of what may be nearer. */
    private static int shortestPaths(Graph graph, Node start) {
        record Candidate(Node node, int distance) implements Comparable<Candidate> {
            @Override
            public int compareTo(Candidate other) {
                return Integer.compare(distance(), other.distance());
            }
        }
        graph.forget();
        PriorityQueue<Candidate> heap = new PriorityQueue<>();
        start.setDistance(0);
        heap.add(new Candidate(start, 0));
        int farthest = 0;
        while (!heap.isEmpty()) {
            Candidate nearest = heap.remove();
            if (nearest.distance() > nearest.node().distance()) {
                continue;
            }
            farthest = Math.max(farthest, nearest.distance());
            for (Edge edge : nearest.node()) {
                int distance = nearest.distance() + edge.weight();
                if (distance < edge.target().distance()) {
                    edge.target().setDistance(distance);
                    heap.add(new Candidate(edge.target(), distance));
                }
            }
        }
        return farthest;
    }

    /** Strongly connected components (Tarjan), by a stack of iterators. */
    private static int components(Graph graph) {
        graph.forget();
        Deque<Node> path = new ArrayDeque<>();
        Deque<Iterator<Edge>> rests = new ArrayDeque<>();
        Deque<Node> open = new ArrayDeque<>();
        int index = 0;
        int count = 0;
        for (Node root : graph) {
            if (root.isReached()) {
                continue;
            }
            path.push(root);
            while (!path.isEmpty()) {
                Node node = path.peek();
                if (!node.isReached()) {
                    node.setDistance(index);
                    node.setLow(index);
                    index++;
                    open.push(node);
                    node.setOpen(true);
                    rests.push(node.iterator());
                }
                Node next = unreached(node, rests.peek());
                if (next != null) {
                    path.push(next);
                    continue;
                }
                path.pop();
                rests.pop();
                if (!path.isEmpty()) {
                    path.peek().lower(node.low());
                }
                if (node.low() == node.distance()) {
                    count++;
                    Node member;
                    do {
                        member = open.pop();
                        member.setOpen(false);
                    } while (member != node);
                }
            }
        }
        return count;
    }

    /** The next target that has not been reached; what was is looked at on the way. */
    private static Node unreached(Node node, Iterator<Edge> rest) {
        while (rest.hasNext()) {
            Node target = rest.next().target();
            if (!target.isReached()) {
                return target;
            }
            if (target.isOpen()) {
                node.lower(target.distance());
            }
        }
        return null;
    }

    /** Three rounds in which nodes share out what they have, in whole numbers. */
    private static int ranks(Graph graph) {
        for (Node node : graph) {
            node.setDistance(1_000);
        }
        for (int round = 0; round < 3; round++) {
            for (Node node : graph) {
                node.setLow(150);
            }
            for (Node node : graph) {
                int share = node.degree() == 0 ? 0 : node.distance() * 85 / 100 / node.degree();
                for (Edge edge : node) {
                    edge.target().setLow(edge.target().low() + share);
                }
            }
            for (Node node : graph) {
                node.setDistance(node.low());
            }
        }
        int sum = 0;
        for (Node node : graph) {
            sum = sum * 31 + node.distance();
        }
        return sum;
    }
}
