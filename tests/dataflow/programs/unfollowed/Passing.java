import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

/**
 * Code that is not followed calls methods of its own name and descriptor, with other values than it
 * was called with, and returns others. What the property names goes between {@link Caller} and
 * {@link Inner}, and all values are null.
 */
class Passing {
    static final int TIMES = 50;

    /** Nobody whose code is followed loads or stores it. */
    static Object other;

    interface Link {
        void set(Object value);

        Object get(Object value);
    }

    static class Caller {
        Object given;
        Object received;

        void call(Link link) {
            link.set(given);
            received = link.get(given);
        }
    }

    static class Inner implements Link {
        Object taken;
        Object kept;

        public void set(Object value) {
            taken = value;
        }

        public Object get(Object value) {
            taken = value;
            return kept;
        }
    }

    /** Left out, as all whose names begin so. */
    static class LeftOut implements Link {
        final Link inner;

        LeftOut(Link inner) {
            this.inner = inner;
        }

        public void set(Object value) {
            inner.set(other);
        }

        public Object get(Object value) {
            inner.get(other);
            return other;
        }
    }

    /** One that is left out calls another. */
    static class LeftOutTwice extends LeftOut {
        LeftOutTwice(Link inner) {
            super(new LeftOut(inner));
        }
    }

    /** Itself. */
    static class LeftOutHeir extends Inner {
        @Override
        public void set(Object value) {
            super.set(other);
        }

        @Override
        public Object get(Object value) {
            super.get(other);
            return other;
        }
    }

    /** What it was called with stays behind in code that is followed. */
    static class Behind {
        Object given;
        final Link nobody = new Nobody();

        void begin() {
            nobody.set(given);
        }
    }

    static class Nobody implements Link {
        public void set(Object value) {}

        public Object get(Object value) {
            return null;
        }
    }

    static class LeftOutBehind extends LeftOut {
        final Behind behind = new Behind();

        LeftOutBehind(Link inner) {
            super(inner);
        }

        @Override
        public void set(Object value) {
            behind.begin();
            inner.set(other);
        }
    }

    /** It catches what happens before a call. */
    static class LeftOutCatcher extends LeftOut {
        final Fails fails = new Fails();

        LeftOutCatcher(Link inner) {
            super(inner);
        }

        @Override
        public void set(Object value) {
            try {
                fails.call();
            } catch (IllegalStateException expected) {
                inner.set(other);
            }
        }
    }

    static class Fails {
        static final IllegalStateException EXCEPTION = new IllegalStateException();
        Object given;
        final Link throwing = new Throwing();

        void call() {
            throwing.set(given);
        }
    }

    static class Throwing extends Nobody {
        @Override
        public void set(Object value) {
            throw Fails.EXCEPTION;
        }
    }

    /** Native code calls {@link Inner}. */
    static class Native implements Link {
        final Link inner;
        final int way;

        Native(Link inner, int way) {
            this.inner = inner;
            this.way = way;
        }

        public native void set(Object value);

        public native Object get(Object value);
    }

    /** A hidden class is made of it. */
    static class LeftOutHidden implements Link {
        static Link next;

        public void set(Object value) {
            next.set(other);
        }

        public Object get(Object value) {
            next.get(other);
            return other;
        }
    }

    static Link hidden(Link inner) throws Throwable {
        byte[] bytes = Passing.class.getResourceAsStream("Passing$LeftOutHidden.class").readAllBytes();
        MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(bytes, true);
        Class<?> made = lookup.lookupClass();
        lookup.findStaticSetter(made, "next", Link.class).invoke(inner);
        return (Link) made.getDeclaredConstructor().newInstance();
    }

    /** A handle that calls one method and then another. */
    static class Combined implements Link {
        final MethodHandle set;
        final MethodHandle get;

        Combined(Link inner) throws Exception {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            MethodHandle begin = lookup.findVirtual(Behind.class, "begin", MethodType.methodType(void.class));
            MethodType takes = MethodType.methodType(void.class, Object.class);
            MethodHandle end = lookup.findVirtual(Link.class, "set", takes).bindTo(inner);
            set = MethodHandles.foldArguments(end, begin.bindTo(new Behind()));
            MethodType gives = MethodType.methodType(Object.class, Object.class);
            get = lookup.findVirtual(Link.class, "get", gives).bindTo(inner);
        }

        public void set(Object value) {
            try {
                set.invokeExact(other());
            } catch (Throwable unexpected) {
                throw new AssertionError(unexpected);
            }
        }

        public Object get(Object value) {
            try {
                Object ignored = get.invokeExact(other());
                return other();
            } catch (Throwable unexpected) {
                throw new AssertionError(unexpected);
            }
        }
    }

    static Object other() {
        return LeftOutSource.other();
    }

    static class LeftOutSource {
        static Object other() {
            return other;
        }
    }

    /** Its methods have the name and descriptor of those that call them. */
    static class Reflected {
        Inner inner;

        public Object invoke(Object value, Object[] values) {
            inner.taken = value;
            return inner.kept;
        }
    }

    static class Reflecting implements Link {
        final Reflected reflected = new Reflected();
        final Method method;

        Reflecting(Inner inner) throws Exception {
            reflected.inner = inner;
            method = Reflected.class.getMethod("invoke", Object.class, Object[].class);
            method.setAccessible(true);
        }

        public void set(Object value) {
            get(value);
        }

        public Object get(Object value) {
            try {
                method.invoke(reflected, LeftOutSource.other(), null);
                return LeftOutSource.other();
            } catch (ReflectiveOperationException unexpected) {
                throw new AssertionError(unexpected);
            }
        }
    }

    static Link link(String name, Inner inner) throws Throwable {
        switch (name) {
            case "Direct":
                return inner;
            case "LeftOut":
                return new LeftOut(inner);
            case "LeftOutTwice":
                return new LeftOutTwice(inner);
            case "LeftOutHeir":
                return new LeftOutHeir();
            case "LeftOutBehind":
                return new LeftOutBehind(inner);
            case "LeftOutCatcher":
                return new LeftOutCatcher(inner);
            case "Large":
                return new Large(inner, null);
            case "Largest":
                return new Largest(inner, null);
            case "Hidden":
                return hidden(inner);
            case "Combined":
                return new Combined(inner);
            case "Reflecting":
                return new Reflecting(inner);
            default:
                System.load(System.getProperty("library"));
                return new Native(inner, Integer.parseInt(name));
        }
    }

    public static void main(String[] args) throws Throwable {
        Inner inner = new Inner();
        Link link = link(System.getProperty("link"), inner);
        Caller caller = new Caller();
        for (int i = 0; i < TIMES; i++) {
            caller.call(link);
        }
    }
}
