package apps.tiny;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** A node, its outgoing edges, and what searches note down about it. */
final class Node implements Iterable<Edge> {
    /** Farther than any node that was reached. */
    static final int UNREACHED = Integer.MAX_VALUE;

    private final List<Edge> edges = new ArrayList<>();
    private int distance = UNREACHED;
    private int low;
    private boolean open;

    void add(Edge edge) {
        edges.add(edge);
    }

    int degree() {
        return edges.size();
    }

    int distance() {
        return distance;
    }

    void setDistance(int distance) {
        this.distance = distance;
    }

    boolean isReached() {
        return distance != UNREACHED;
    }

    int low() {
        return low;
    }

    void setLow(int low) {
        this.low = low;
    }

    /** Keeps the lower of what it has and this. */
    void lower(int other) {
        if (other < low) {
            low = other;
        }
    }

    boolean isOpen() {
        return open;
    }

    void setOpen(boolean open) {
        this.open = open;
    }

    @Override
    public Iterator<Edge> iterator() {
        return edges.iterator();
    }
}
