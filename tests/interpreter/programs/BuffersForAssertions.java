/** Section 4.3.2, bloat: toString methods whose strings go to assertions and debug output, of which there is none. */
class BuffersForAssertions {
    static boolean debug;

    static void isTrue(boolean condition, String message) { if (!condition) throw new IllegalStateException(message); }
    static void db(String message) { if (debug) System.out.println(message); }

    static class Label {
        final int index;
        Label(int index) { this.index = index; }
        public String toString() { return new StringBuffer().append("label_").append(index).toString(); }
    }

    static class Block {
        final Label label; final int size; Block next;
        Block(Label label, int size) { this.label = label; this.size = size; }
        public String toString() {
            String s = new StringBuffer().append("<block ").append(label).append(" hdr=").append(size).toString();
            if (next == null) s = new StringBuffer().append(s).append(" exit").toString();
            return new StringBuffer().append(s).append(">").toString();
        }
    }

    static class Expr {
        final Expr left; final int value;
        Expr(Expr left, int value) { this.left = left; this.value = value; }
        public String toString() {
            if (left == null) return new StringBuffer().append("const ").append(value).toString();
            return new StringBuffer().append("(").append(left).append(" + ").append(value).append(")").toString();
        }
    }

    /** What the program is for: every value is used. */
    static int work() {
        int[] counts = new int[64];
        for (int i = 0; i < 800; i++) counts[i * 7 % 64] += i;
        int sum = 0;
        for (int count : counts) if (count % 3 == 0) sum += count;
        return sum;
    }

    public static void main(String[] args) {
        Block first = null;
        for (int i = 0; i < 8; i++) { Block block = new Block(new Label(i), i * i); block.next = first; first = block; }
        int sum = 0;
        for (Block block = first; block != null; block = block.next) {
            isTrue(block.size >= 0, new StringBuffer().append("negative size: ").append(block).toString());
            db(new StringBuffer().append("visiting ").append(block).toString());
            Expr expr = new Expr(new Expr(null, block.size), 1);
            isTrue(expr.value > 0, new StringBuffer().append("not folded: ").append(expr).toString());
            sum += expr.left.value + expr.value;
        }
        System.out.println(sum + work());
    }
}
