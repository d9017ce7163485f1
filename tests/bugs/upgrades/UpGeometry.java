package app;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import office.Office;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.prep.PreparedGeometry;
import org.locationtech.jts.geom.prep.PreparedGeometryFactory;
import org.locationtech.jts.index.strtree.STRtree;
import org.locationtech.jts.io.WKTReader;
import org.locationtech.jts.io.WKTWriter;
import org.locationtech.jts.operation.union.CascadedPolygonUnion;
import org.locationtech.jts.simplify.DouglasPeuckerSimplifier;
import org.locationtech.jts.triangulate.DelaunayTriangulationBuilder;

/** Maps: areas are united, cut, searched, and written. */
public final class UpGeometry {
    private static final GeometryFactory FACTORY = new GeometryFactory();

    public static void main(String[] arguments) throws Exception {
        int days = Office.days(arguments, 20);
        for (int day = 0; day < days; day++) {
            Office.add(map(new Random(day)));
        }
        Office.close();
    }

    private static long map(Random random) throws Exception {
        List<Geometry> areas = new ArrayList<>();
        STRtree index = new STRtree();
        for (int number = 0; number < 60; number++) {
            Geometry area = area(random);
            areas.add(area);
            index.insert(area.getEnvelopeInternal(), area);
        }
        Geometry together = CascadedPolygonUnion.union(areas);
        PreparedGeometry prepared = PreparedGeometryFactory.prepare(together);
        long inside = 0;
        for (int place = 0; place < 800; place++) {
            Point point = FACTORY.createPoint(new Coordinate(random.nextDouble() * 1_000, random.nextDouble() * 1_000));
            inside += prepared.contains(point) ? 1 : 0;
            for (Object found : index.query(point.getEnvelopeInternal())) {
                inside += ((Geometry) found).intersects(point) ? 1 : 0;
            }
        }
        double size = 0;
        for (int number = 1; number < areas.size(); number++) {
            Geometry one = areas.get(number - 1);
            Geometry other = areas.get(number);
            size += one.intersection(other).getArea() + one.distance(other);
        }
        size += together.buffer(5).getArea() + together.convexHull().getLength();
        size += DouglasPeuckerSimplifier.simplify(together, 2).getNumPoints();
        DelaunayTriangulationBuilder triangles = new DelaunayTriangulationBuilder();
        triangles.setSites(together);
        size += triangles.getTriangles(FACTORY).getNumGeometries();
        Geometry again = new WKTReader(FACTORY).read(new WKTWriter().write(together));
        return inside + Math.round(size / 1_000) + again.getNumGeometries() + (again.isValid() ? 1 : 0);
    }

    private static Geometry area(Random random) {
        double x = random.nextDouble() * 1_000;
        double y = random.nextDouble() * 1_000;
        int corners = 12 + random.nextInt(20);
        Coordinate[] ring = new Coordinate[corners + 1];
        for (int corner = 0; corner < corners; corner++) {
            double radius = 40 + random.nextDouble() * 60;
            double angle = 2 * Math.PI * corner / corners;
            ring[corner] = new Coordinate(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
        }
        ring[corners] = ring[0];
        return FACTORY.createPolygon(FACTORY.createLinearRing(ring), null);
    }
}
