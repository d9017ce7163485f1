package app;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import office.Office;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.operation.polygonize.Polygonizer;

/** Surveyed lines of parcels, some of them with a pond, become areas. */
public final class Jts431 {
    private static final GeometryFactory FACTORY = new GeometryFactory();

    public static void main(String[] arguments) {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(areas(lines(new Random(day))));
            Office.afternoon(day);
        }
        Office.close();
    }

    private static List<Geometry> lines(Random random) {
        List<Geometry> lines = new ArrayList<>();
        for (int row = 0; row < 15; row++) {
            for (int column = 0; column < 15; column++) {
                double x = column * 100 + random.nextInt(9);
                double y = row * 100 + random.nextInt(9);
                ring(lines, x, y, 60 + random.nextInt(25), 4);
                if (random.nextInt(3) == 0) {
                    ring(lines, x + 15, y + 15, 20, 8);
                }
            }
        }
        return lines;
    }

    /** A ring of lines, each from one corner to the next. */
    private static void ring(List<Geometry> lines, double x, double y, double size, int corners) {
        Coordinate first = null;
        Coordinate last = null;
        for (int corner = 0; corner <= corners; corner++) {
            double angle = 2 * Math.PI * corner / corners;
            Coordinate next = corner == corners ? first : new Coordinate(Math.rint(x + size / 2 * (1 + Math.cos(angle))),
                    Math.rint(y + size / 2 * (1 + Math.sin(angle))));
            if (last == null) {
                first = next;
            } else {
                lines.add(FACTORY.createLineString(new Coordinate[] {last, next}));
            }
            last = next;
        }
    }

    private static long areas(List<Geometry> lines) {
        Polygonizer polygonizer = new Polygonizer();
        polygonizer.add(lines);
        long sum = 0;
        for (Object area : polygonizer.getPolygons()) {
            Polygon polygon = (Polygon) area;
            sum += Math.round(2 * polygon.getArea()) + 31L * polygon.getNumInteriorRing() + Math.round(polygon.getLength());
        }
        return sum;
    }
}
