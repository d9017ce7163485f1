/** clone() of objects and arrays, shallow and deep. */
class Clones {
    static class Point implements Cloneable {
        int x, y; Object tag; int[] path = {1, 2};
        Point deep() {
            try { Point p = (Point) super.clone(); p.path = path.clone(); return p; }
            catch (CloneNotSupportedException e) { throw new AssertionError(); }
        }
    }

    static class Coloured extends Point { long colour = 7; }

    static class Fixed { Object copy() throws CloneNotSupportedException { return super.clone(); } }

    public static void main(String[] args) {
        Point p = new Point(), q = new Coloured();
        p.x = 3; p.tag = q; q.y = 4; q.tag = args;
        Point[] all = {p.deep(), q.deep(), p.deep().deep()};
        Point[] again = all.clone();
        again[2].path[0] = again[1].path[1];
        int refused = 0;
        try { new Fixed().copy(); } catch (CloneNotSupportedException e) { refused++; }
        System.out.println(again[0].x + again[1].y + again[2].path[0] + refused);
    }
}
