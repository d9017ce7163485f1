/** Locations that are written again before anyone reads them. */
class Overwrites {
    int never; int twice; long wide; static int global; int[] cells = new int[3]; Object reference;

    public static void main(String[] args) {
        Overwrites o = new Overwrites();
        for (int i = 0; i < 4; i++) {
            o.never = i;
            o.twice = i; o.twice = i + 1;
            o.wide += i;
            global = i; global = o.twice;
            o.cells[i % 3] = i; o.cells[i % 3] = o.cells[0];
            o.reference = new Object(); o.reference = o;
        }
        System.out.println(o.twice + o.wide + global);
    }
}
