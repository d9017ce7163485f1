import java.util.ArrayList;
import java.util.List;

/** Draws nodes within nodes, and asks each again what it covers (Bergel et al. 2012, section 3.1). */
public class Figures {
    abstract static class Node {
        /** Width in the upper half, height in the lower one. */
        abstract long bounds();
    }

    static final class Label extends Node {
        private final String text;

        Label(String text) {
            this.text = text;
        }

        @Override
        long bounds() {
            return ((long) text.length() * 7 << 32) + 12;
        }
    }

    static final class Group extends Node {
        private final List<Node> parts = new ArrayList<>();

        void add(Node part) {
            parts.add(part);
        }

        @Override
        long bounds() {
            long width = 0;
            long height = 0;
            for (Node part : parts) {
                long bounds = part.bounds();
                width = Math.max(width, bounds >>> 32);
                height += (int) bounds;
            }
            return (width << 32) + height;
        }
    }

    private static long area;

    /** Draws the frame of each group, then what is in it. */
    private static void draw(Node node) {
        long bounds = node.bounds();
        area += (bounds >>> 32) * (int) bounds;
        if (node instanceof Group group) {
            for (Node part : group.parts) {
                draw(part);
            }
        }
    }

    /** Groups of groups, four in each, down to those of eight labels. */
    private static Node group(int depth) {
        Group group = new Group();
        for (int part = 0; part < (depth == 0 ? 8 : 4); part++) {
            group.add(depth == 0 ? new Label("part " + part) : group(depth - 1));
        }
        return group;
    }

    public static void main(String[] arguments) {
        Node figure = group(2);
        for (int frame = 0; frame < 100; frame++) {
            draw(figure);
        }
        System.out.println(area);
    }
}
