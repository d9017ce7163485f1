/** Inner and anonymous classes: this$0 and captured variables are stored before super(). */
class InnerClasses {
    int base = 10;
    Object made;

    class Inner {
        int mine = base;
        class Deeper { int sum = mine + base; Object outer = Inner.this; }
    }

    static abstract class Shape {
        final int seen;
        Shape() { seen = area(); }
        abstract int area();
    }

    Shape shape(int factor, Object token) {
        return new Shape() {
            Object kept = token;
            int area() { return factor * base; }
        };
    }

    int local(int n) {
        class Local { int twice() { return 2 * n; } }
        return new Local().twice();
    }

    public static void main(String[] args) {
        InnerClasses o = new InnerClasses();
        int sum = 0;
        for (int i = 1; i < 4; i++) {
            Inner inner = o.new Inner();
            o.made = inner.new Deeper();
            sum += ((Inner.Deeper) o.made).sum + o.shape(i, inner).seen + o.local(i);
        }
        System.out.println(sum);
    }
}
