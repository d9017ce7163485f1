//! Proxies, records, clones and bridges.

use crate::random::generator::{Action, Cost, Writer};

/// Dynamic proxies.
pub fn proxies(w: &mut Writer) -> Action {
    let first = w.any("R");
    let second = w.any("Q");
    w.set("Rr", first.of("h"));
    w.set("Qr", second.of("h"));
    w.parameters("P", 0, 4);
    w.parameters("V", 0, 3);
    w.action(
        "proxies",
        Cost::Medium,
        "    interface First$n extends Supplier<Object> {
        $R first($P) throws IOException;

        default long filled($V) {
            long h = 4;
            $VMreturn h;
        }
    }

    interface Second$n {
        $Q second($V);

        void nothing();
    }

    static class Handler$n implements InvocationHandler {
        int calls;

        @Override public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            long h = ++calls;
            h = Sum.add(h, (Object) arguments);
            switch (method.getName()) {
                case \"first\":
                    if (calls % 37 == 5) {
                        throw new IOException(\"first \" + calls);
                    }
                    return $Rr;
                case \"second\":
                    if (calls % 41 == 5) {
                        throw new IOException(\"undeclared \" + calls);
                    }
                    if (calls % 43 == 5) {
                        return new StringBuilder();
                    }
                    return $Qr;
                case \"filled\":
                    return InvocationHandler.invokeDefault(proxy, method, arguments);
                case \"hashCode\":
                    return calls;
                case \"equals\":
                    return proxy == arguments[0];
                case \"toString\":
                    return \"proxy \" + calls;
                default:
                    return null;
            }
        }
    }

    static final Object PROXY$n = Proxy.newProxyInstance(SEED.class.getClassLoader(),
        new Class<?>[] {First$n.class, Second$n.class}, new Handler$n());
",
        "        First$n first = (First$n) PROXY$n;
        Second$n second = (Second$n) PROXY$n;
        $R got = first.first($PA);
        h = Sum.add(h, got);
        try {
            h = Sum.add(h, second.second($VA));
        } catch (UndeclaredThrowableException | ClassCastException e) {
            h = Sum.add(h, e.getClass());
            h = Sum.add(h, e.getCause());
        }
        second.nothing();
        h = Sum.add(Sum.add(Sum.add(h, first.get()), PROXY$n.hashCode()), PROXY$n.equals(first));
        h = Sum.add(Sum.add(h, PROXY$n.toString()), first.filled($VA));
        h = Sum.add(h, Proxy.isProxyClass(first.getClass()));
        h = Sum.add(h, ((Handler$n) Proxy.getInvocationHandler(first)).calls);",
    )
}

/// Records.
pub fn records(w: &mut Writer) -> Action {
    w.parameters("P", 0, 5);
    w.any("T");
    w.any("U");
    w.action(
        "records",
        Cost::Cheap,
        "    record Row$n($P) {
    }

    record Checked$n<X>($T first, $U second, X... rest) implements Comparable<Checked$n<X>> {
        static int made;

        Checked$n {
            made++;
            if (made % 53 == 7) {
                throw new IllegalArgumentException(\"record \" + made);
            }
        }

        Checked$n($T first) {
            this(first, $Uconstant);
        }

        @Override public int compareTo(Checked$n<X> other) {
            return Integer.compare(rest.length, other.rest.length);
        }
    }

    record Nested$n(Row$n row, $T value, String text) {
    }
"
        .replace("$Uconstant", match w.fill("$U").as_str() {
            "boolean" => "false",
            "String" | "Object" => "\"second\"",
            "char" => "'s'",
            "byte" => "(byte) 4",
            "short" => "(short) 4",
            _ => "4",
        })
        .as_str(),
        "        Row$n row = new Row$n($PA);
        Row$n same = new Row$n($PA);
        h = Sum.add(Sum.add(h, row), row.equals(same));
        Nested$n nested = new Nested$n(row, $Tv, \"t\" + i);
        h = Sum.add(Sum.add(h, nested), nested.equals(new Nested$n(same, $Tv, \"t\" + i)));
        h = Sum.add(h, nested.value());
        Checked$n<Object> checked = new Checked$n<>($Tv, $Uv, i, \"rest\");
        h = Sum.add(Sum.add(Sum.add(h, checked.first()), checked.second()), (Object) checked.rest());
        h = Sum.add(h, checked.compareTo(checked));
        if (i % 40 == 3) {
            for (RecordComponent component : Row$n.class.getRecordComponents()) {
                h = Sum.add(Sum.add(h, component.toString()), component.getAccessor().invoke(row));
            }
            h = Sum.add(h, new Checked$n<>($Tw).second());
            Set<Object> set = new HashSet<>(Arrays.asList(row, same, nested));
            h = Sum.add(Sum.add(h, set.size()), set.contains(new Row$n($PA)));
        }",
    )
}

/// Clones of objects and arrays.
pub fn clones(w: &mut Writer) -> Action {
    w.any("T");
    w.any("U");
    w.action(
        "clones",
        Cost::Cheap,
        "    static class Cloned$n implements Cloneable, Sum.Summed {
        $T own;
        $U[] several;
        int depth;

        @Override public Cloned$n clone() {
            try {
                Cloned$n copy = (Cloned$n) super.clone();
                copy.several = several.clone();
                copy.depth++;
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        @Override public long sum() {
            return Sum.add(Sum.add(Sum.add(2L, own), (Object) several), depth);
        }
    }

    static class Deeper$n extends Cloned$n {
        $U more;

        @Override public Deeper$n clone() {
            return (Deeper$n) super.clone();
        }

        @Override public long sum() {
            return Sum.add(super.sum(), more);
        }
    }

    static class Refuses$n {
        Object copy() throws CloneNotSupportedException {
            return clone();
        }
    }
",
        "        Cloned$n original = i % 2 == 0 ? new Cloned$n() : new Deeper$n();
        original.own = $Tv;
        original.several = new $U[] {$Uv, $Uw};
        if (original instanceof Deeper$n deeper) {
            deeper.more = $Uv;
        }
        Cloned$n copy = original.clone().clone();
        original.own = $Tw;
        original.several[0] = $Uw;
        h = Sum.add(Sum.add(Sum.add(h, copy), original), copy.getClass());
        $T[][] array = {{$Tv}, {$Tv, $Tw}, null};
        $T[][] shallow = array.clone();
        shallow[0][0] = $Tw;
        shallow[1] = array[1].clone();
        shallow[1][0] = $Tw;
        h = Sum.add(Sum.add(h, (Object) array), (Object) shallow);
        h = Sum.add(h, (Object) Arrays.copyOf(array[1], 3 + i % 2));
        if (i % 80 == 1) {
            try {
                h = Sum.add(h, new Refuses$n().copy());
            } catch (CloneNotSupportedException e) {
                h = Sum.add(h, e);
            }
            h = Sum.add(h, new ArrayList<>(List.of(1, 2)).clone());
        }",
    )
}

/// Interfaces with bridges, default, private and static methods.
pub fn bridges(w: &mut Writer) -> Action {
    let kind = w.any("T");
    w.any("U");
    w.set("Tr", kind.of("h"));
    w.action(
        "bridges",
        Cost::Cheap,
        "    interface Shape$n<X> extends Comparable<Shape$n<X>> {
        X value();

        default long twice(X value) {
            return hidden(value) + hidden(value());
        }

        private long hidden(X value) {
            return Sum.add(6L, value);
        }

        static <Y> Y pass(Y value) {
            return value;
        }

        Shape$n<X> with(X value);

        @Override default int compareTo(Shape$n<X> other) {
            return Long.compare(hidden(value()), other.twice(value()));
        }
    }

    static class Concrete$n implements Shape$n<$TB>, Cloneable {
        final $TB value;

        Concrete$n($TB value) {
            this.value = value;
        }

        @Override public $TB value() {
            return value;
        }

        @Override public Concrete$n with($TB other) {
            return new Concrete$n(other);
        }
    }

    static final class Special$n extends Concrete$n {
        $U more;

        Special$n($TB value, $U more) {
            super(value);
            this.more = more;
        }

        @Override public Special$n with($TB other) {
            return new Special$n(other, more);
        }

        @Override public long twice($TB value) {
            return Sum.add(super.twice(value), more);
        }
    }

    static class Third$n implements Shape$n<Object> {
        @Override public Object value() {
            return \"third\";
        }

        @Override public Shape$n<Object> with(Object value) {
            return this;
        }
    }

    abstract static class Generic$n<A extends Number, B> {
        abstract B convert(A value);

        B apply(Number value) {
            return convert((A) value);
        }
    }

    static class Converts$n extends Generic$n<Integer, $TB> {
        @Override $TB convert(Integer value) {
            long h = value;
            return $Tr;
        }
    }
",
        "        $T value = $Tv;
        Shape$n<$TB> shape = i % 3 == 0 ? new Special$n(value, $Uv) : new Concrete$n(value);
        Shape$n<$TB> other = shape.with($Tw);
        h = Sum.add(Sum.add(Sum.add(h, other.value()), shape.twice(value)), shape.compareTo(other));
        h = Sum.add(Sum.add(h, Shape$n.pass(shape.value())), other.getClass());
        h = Sum.add(h, new Third$n().twice(\"x\" + i));
        h = Sum.add(h, new Converts$n().apply(i));
        if (i % 70 == 2) {
            try {
                h = Sum.add(h, new Converts$n().apply(1.5));
            } catch (ClassCastException e) {
                h = Sum.add(h, e);
            }
            try {
                h = Sum.add(h, ((Shape$n) shape).twice(new StringBuilder()));
            } catch (ClassCastException e) {
                h = Sum.add(h, e);
            }
            for (Method method : Special$n.class.getDeclaredMethods()) {
                h += Sum.add(Sum.add(Sum.add(1L, method.toString()), method.isBridge()), method.isSynthetic());
            }
        }"
            ,
    )
}
