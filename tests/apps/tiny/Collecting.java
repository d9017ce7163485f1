package apps.tiny;

import apps.App;
import apps.Digest;
import apps.Size;
import apps.Words;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;

/**
 * Fills, searches, sorts and empties collections of small objects: nearly all
 * of its calls are hashes, comparisons, iterators' steps and boxed numbers.
 */
public final class Collecting implements App {
    /** A point whose hash and equality are called through the collections. */
    record Point(int x, int y) {}

    private static final int SIDE = 600;

    @Override
    public String name() {
        return "collections";
    }

    @Override
    public String iterate(Size size) {
        int rounds = size.of(6, 60);
        Digest digest = new Digest();
        Words words = new Words(4, 5_000);
        for (int round = 0; round < rounds; round++) {
            List<Point> points = points(words, 12_000);
            digest.add(distinct(points));
            digest.add(busiestRow(points));
            digest.add(sorted(points));
            digest.add(cached(points));
            digest.add(merged(points));
            digest.add(queued(points));
            digest.add(thinned(points));
        }
        return digest.text();
    }

    private static List<Point> points(Words words, int count) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            points.add(new Point(words.number(SIDE), words.number(SIDE / 4)));
        }
        return points;
    }

    /** A set of records, asked for neighbours that it mostly does not have. */
    private static int distinct(List<Point> points) {
        Set<Point> set = new HashSet<>(points);
        int neighbours = 0;
        for (Point point : set) {
            if (set.contains(new Point(point.x() + 1, point.y()))) {
                neighbours++;
            }
            if (set.contains(new Point(point.x(), point.y() + 1))) {
                neighbours++;
            }
        }
        return set.size() * 31 + neighbours;
    }

    /** Numbers that are boxed, summed in a map and found again. */
    private static int busiestRow(List<Point> points) {
        Map<Integer, Integer> counts = new HashMap<>();
        for (Point point : points) {
            counts.merge(point.y(), 1, Integer::sum);
        }
        int busiest = -1;
        int most = 0;
        for (Map.Entry<Integer, Integer> row : counts.entrySet()) {
            if (row.getValue() > most || row.getValue() == most && row.getKey() < busiest) {
                busiest = row.getKey();
                most = row.getValue();
            }
        }
        return busiest * 31 + most;
    }

    /** Two comparators, one behind the other, and a search for each element. */
    private static int sorted(List<Point> points) {
        Comparator<Point> order = Comparator.comparingInt(Point::y).thenComparing(Point::x);
        List<Point> sorted = new ArrayList<>(points);
        sorted.sort(order);
        int sum = 0;
        for (int i = 0; i < points.size(); i += 3) {
            sum = sum * 31 + sorted.get(Collections.binarySearch(sorted, points.get(i), order)).x();
        }
        return sum;
    }

    /** A cache that forgets what was not used for longest. */
    private static int cached(List<Point> points) {
        Map<Integer, Point> cache = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Integer, Point> eldest) {
                return size() > SIDE / 3;
            }
        };
        int hits = 0;
        for (Point point : points) {
            if (cache.get(point.x()) == null) {
                cache.put(point.x(), point);
            } else {
                hits++;
            }
        }
        return hits;
    }

    /** A tree of short lists. */
    private static int merged(List<Point> points) {
        TreeMap<Integer, List<Point>> columns = new TreeMap<>();
        for (Point point : points) {
            columns.computeIfAbsent(point.x(), x -> new ArrayList<>()).add(point);
        }
        int sum = 0;
        for (Map.Entry<Integer, List<Point>> column : columns.entrySet()) {
            Integer next = columns.higherKey(column.getKey());
            sum = sum * 31 + column.getValue().size() + (next == null ? 0 : next);
            for (Point point : column.getValue()) {
                sum += point.y();
            }
        }
        return sum;
    }

    /** A heap that is filled and half emptied in turn, and a queue behind it. */
    private static int queued(List<Point> points) {
        PriorityQueue<Point> heap = new PriorityQueue<>(
                (a, b) -> a.x() != b.x() ? Integer.compare(a.x(), b.x()) : Integer.compare(a.y(), b.y()));
        ArrayDeque<Point> queue = new ArrayDeque<>();
        for (int i = 0; i < points.size(); i++) {
            heap.add(points.get(i));
            if (i % 2 == 1) {
                queue.addLast(heap.remove());
            }
        }
        int sum = 0;
        while (!queue.isEmpty()) {
            Point point = queue.removeFirst();
            sum = sum * 31 + point.x() - point.y();
        }
        return sum + heap.size();
    }

    /** Iterators that remove, go back, and see lists through views. */
    private static int thinned(List<Point> points) {
        List<Point> left = new ArrayList<>(points.subList(0, points.size() / 8));
        Set<Point> gone = new HashSet<>();
        for (Iterator<Point> all = left.iterator(); all.hasNext(); ) {
            Point point = all.next();
            if ((point.x() + point.y()) % 5 == 0) {
                all.remove();
                gone.add(point);
            }
        }
        int sum = gone.size();
        ListIterator<Point> back = Collections.unmodifiableList(left).listIterator(left.size());
        while (back.hasPrevious()) {
            Point point = back.previous();
            sum = sum * 31 + (gone.contains(point) ? point.x() : point.y());
        }
        return sum;
    }
}
