/** Natives that call back, and that access fields; {@code back.c} has them. */
public class Back implements Sink {
    static {
        System.load(System.getProperty("rules.natives"));
    }

    final Sink in;
    Object other;

    Back(Sink in, Object other) {
        this.in = in;
        this.other = other;
    }

    /** Passes {@code other} on to {@code in}, and returns what comes back. */
    @Override
    public native Object pass(Object o);

    /** Passes {@code other} on to {@code in}, but returns its own argument. */
    static class Swap extends Back {
        Swap(Sink in, Object other) {
            super(in, other);
        }

        @Override
        public native Object pass(Object o);
    }

    /** Passes an object on, and returns what comes back. */
    static native Object call(Sink in, Object o);

    /** Passes an object on by {@link #call}, and returns what comes back. */
    static Object callHere(Sink in, Object o) {
        return call(in, o);
    }

    /** Stores to {@code other}, or does nothing without an object. */
    static native void set(Back to, Object o);

    /** Loads {@code other}. */
    static native Object get(Back from);

    /** Stores an element, if there is room. */
    static native void setElement(Object[] to, int at, Object o);

    /** Makes an object. */
    static native Back make(Sink in, Object other);

    /** Runs something. */
    static native void run(Runnable what);

    /** Makes an object of a class by its constructor for one object; none if that throws. */
    static native Object attempt(Class<?> type, Object o);

    /** Passes an object on, or to another sink if the first one throws. */
    static native Object attempt(Sink first, Sink otherwise, Object o);

    /** Makes an object of the class {@code other}, and returns its argument. */
    static class Making extends Back {
        Making(Class<?> type) {
            super(null, type);
        }

        @Override
        public native Object pass(Object o);
    }
}
