/** Objects that are made by one method on behalf of several receivers. */
public final class Contexts {
    static final class Maker {
        Object make() {
            return new StringBuilder();
        }

        Object array() {
            return new long[1];
        }

        static Object byNobody() {
            return new StringBuilder();
        }

        Object byHelper() {
            return byNobody();
        }
    }

    /** Makes its part before it is initialised itself, and after that. */
    static class Part {
        final Object before;
        final Object after;

        Part(Object before) {
            this.before = before;
            this.after = new StringBuilder();
        }
    }

    static final class Whole extends Part {
        Whole() {
            super(new int[1]);
        }
    }

    /** Overwrites what it was called on. */
    static final class Linked {
        Linked next;

        Object makeAtEnd() {
            return new short[1];
        }
    }

    private Contexts() {
    }

    public static void main(String[] args) throws ReflectiveOperationException {
        Maker one = new Maker();
        Maker other = new Maker();
        for (int i = 0; i < 3; i++) {
            print("make", one, one.make());
            print("make", other, other.make());
            print("array", one, one.array());
            print("array", other, other.array());
            print("static", null, Maker.byNobody());
            print("helped", one, one.byHelper());
            print("helped", other, other.byHelper());
            print("reflected", null, Maker.class.getDeclaredMethod("byNobody").invoke(null));
        }
        Whole whole = new Whole();
        print("before", whole, whole.before);
        print("after", whole, whole.after);
        Part part = new Part(null);
        print("after", part, part.after);
        Linked linked = new Linked();
        print("linked", linked, linked.makeAtEnd());
    }

    /** The tags of an object and of the receiver of the method that made it. */
    private static void print(String what, Object owner, Object made) {
        System.out.println(what + "\t" + Tags.of(owner) + "\t" + Tags.of(made));
    }
}
