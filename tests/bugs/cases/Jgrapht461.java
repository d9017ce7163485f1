package app;

import java.util.Random;
import office.Office;
import org.jgrapht.alg.flow.PushRelabelMFImpl;
import org.jgrapht.alg.shortestpath.DijkstraShortestPath;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;

/** Water for a town: how much the pipes can carry, and the shortest ways of the repair crews. */
public final class Jgrapht461 {
    public static void main(String[] arguments) {
        int days = Office.days(arguments, 12);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(crews(day));
            Office.add(Math.round(water(14 + day % 4)));
            Office.afternoon(day);
        }
        Office.close();
    }

    private static long crews(int day) {
        Random random = new Random(day);
        SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge> streets = graph(150);
        for (int street = 0; street < 600; street++) {
            int from = random.nextInt(150);
            int to = (from + 1 + random.nextInt(149)) % 150;
            connect(streets, from, to, 1 + random.nextInt(20));
        }
        long sum = 0;
        for (int crew = 0; crew < 6; crew++) {
            sum += Math.round(new DijkstraShortestPath<>(streets).getPathWeight(crew, 149 - crew));
        }
        return sum;
    }

    private static double water(int size) {
        SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge> pipes = graph(size);
        for (int at = 1; at < size; at++) {
            connect(pipes, 0, at, at % 2 == 0 ? 3 : 0);
            if (at % 2 == 0) {
                connect(pipes, at, 0, 4);
            }
        }
        return new PushRelabelMFImpl<>(pipes).getMaximumFlow(0, size - 1).getValue();
    }

    private static SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge> graph(int size) {
        SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge> graph =
                new SimpleDirectedWeightedGraph<>(DefaultWeightedEdge.class);
        for (int at = 0; at < size; at++) {
            graph.addVertex(at);
        }
        return graph;
    }

    private static void connect(SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge> graph, int from, int to, double weight) {
        DefaultWeightedEdge edge = graph.addEdge(from, to);
        if (edge != null) {
            graph.setEdgeWeight(edge, weight);
        }
    }
}
