import java.util.Objects;

/** What the JVM says about nulls, for every kind of instruction that meets one. */
class Messages {
    interface Action {
        void run() throws Throwable;
    }

    static class Node {
        Node next;
        int number;
        long wide;
        Object object;
        int[] ints;
        static Node last;

        Node next() {
            return next;
        }

        int sum(int a, long b, double c, Object d, Node e) {
            return a;
        }
    }

    static void say(String what, Action action) {
        try {
            action.run();
            System.out.println(what + ": nothing");
        } catch (Throwable e) {
            System.out.println(what + ": " + e);
        }
    }

    static int[] ints;
    static Object[][] objects = {null, {null}};

    static Node none(Object ignored) {
        return null;
    }

    static void arrays(byte[] b, char[] c, short[] s, int[] i, long[] l, float[] f, double[] d,
            Object[] o, int at) {
        say("baload", () -> System.out.println(b[at]));
        say("caload", () -> System.out.println(c[at]));
        say("saload", () -> System.out.println(s[at]));
        say("iaload", () -> System.out.println(i[at]));
        say("laload", () -> System.out.println(l[at]));
        say("faload", () -> System.out.println(f[at]));
        say("daload", () -> System.out.println(d[at]));
        say("aaload", () -> System.out.println(o[at]));
        say("bastore", () -> b[at] = 1);
        say("castore", () -> c[at] = 1);
        say("sastore", () -> s[at] = 1);
        say("iastore", () -> i[at] = 1);
        say("lastore", () -> l[at] = 1);
        say("fastore", () -> f[at] = 1);
        say("dastore", () -> d[at] = 1);
        say("aastore", () -> o[at] = "x");
        say("aastore of null", () -> o[at] = none(null));
        say("arraylength", () -> System.out.println(o.length));
    }

    static void locals(Node node, Integer boxed, boolean flag) throws Throwable {
        Node other = flag ? node : Node.last;
        say("local", () -> System.out.println(node.number));
        try {
            other.number = 1;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            node.next.wide = 5L;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            (flag ? node : other).sum(1, 2L, 3.0, "4", node);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            none("x").sum(1, 2L, 3.0, none(node), node);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            int value = boxed;
            System.out.println(value);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            synchronized (other) {
                System.out.println("locked");
            }
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            throw (RuntimeException) (Object) other;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) throws Throwable {
        arrays(null, null, null, null, null, null, null, null, 3);
        locals(null, null, true);
        Node node = new Node();
        say("getfield chain", () -> System.out.println(node.next.next.number));
        say("putfield of a field", () -> node.next.object = "x");
        say("putfield of a reference", () -> node.next.next = none(node));
        say("call of a result", () -> node.next().next());
        say("call of a parameter", () -> none(none(node)).next().next());
        say("element of a field", () -> node.ints[2] = 7);
        say("element of an element", () -> System.out.println(objects[0][1]));
        say("call of an element", () -> System.out.println(objects[1][0].hashCode()));
        say("static field", () -> System.out.println(ints[0]));
        say("call of a static field", () -> Node.last.next());
        say("switch", () -> {
            switch ((String) (Object) none(1)) {
                case "a" -> System.out.println("a");
                default -> System.out.println("b");
            }
        });
        say("explicit", () -> Objects.requireNonNull(node.next, "must be there"));
        say("explicit without words", () -> Objects.requireNonNull(node.next));
        say("lambda", () -> {
            Action action = node.next == null ? null : () -> { };
            action.run();
        });
        node.next().next();
    }
}
