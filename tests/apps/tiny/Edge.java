package apps.tiny;

/** A way to a node, which takes so long. */
record Edge(Node target, int weight) {}
