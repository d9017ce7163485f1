package office;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/** Routes of vans: shortest ways in a net of roads, and which places hang together. */
public final class Routes {
    private record Road(int to, int length) {}

    private record Stop(int place, int distance) {}

    private Routes() {}

    public static long run(int round) {
        List<List<Road>> roads = roads(round, 900);
        long sum = 0;
        for (int depot = 0; depot < 4; depot++) {
            sum += Arrays.stream(distances(roads, depot * 200)).filter(d -> d < Integer.MAX_VALUE).asLongStream().sum();
        }
        return sum + reachable(roads, 7).cardinality();
    }

    private static List<List<Road>> roads(int round, int places) {
        Random random = new Random(round);
        List<List<Road>> roads = new ArrayList<>();
        for (int place = 0; place < places; place++) {
            List<Road> from = new ArrayList<>();
            for (int road = 0; road < 4; road++) {
                from.add(new Road(random.nextInt(places), 1 + random.nextInt(99)));
            }
            roads.add(from);
        }
        return roads;
    }

    private static int[] distances(List<List<Road>> roads, int start) {
        int[] distances = new int[roads.size()];
        Arrays.fill(distances, Integer.MAX_VALUE);
        distances[start] = 0;
        PriorityQueue<Stop> queue = new PriorityQueue<>((a, b) -> Integer.compare(a.distance(), b.distance()));
        queue.add(new Stop(start, 0));
        while (!queue.isEmpty()) {
            Stop stop = queue.poll();
            if (stop.distance() > distances[stop.place()]) {
                continue;
            }
            for (Road road : roads.get(stop.place())) {
                int distance = stop.distance() + road.length();
                if (distance < distances[road.to()]) {
                    distances[road.to()] = distance;
                    queue.add(new Stop(road.to(), distance));
                }
            }
        }
        return distances;
    }

    private static BitSet reachable(List<List<Road>> roads, int start) {
        BitSet seen = new BitSet();
        ArrayDeque<Integer> next = new ArrayDeque<>(List.of(start));
        while (!next.isEmpty()) {
            int place = next.poll();
            if (!seen.get(place)) {
                seen.set(place);
                roads.get(place).forEach(road -> next.add(road.to()));
            }
        }
        return seen;
    }
}
