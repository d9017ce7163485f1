//! Proxies, serialisation, records, clones, bridges, and what reaches fields without
//! naming them.

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

/// Objects of many kinds to bytes and back.
pub fn serialised(w: &mut Writer) -> Action {
    w.any("T");
    w.any("U");
    let kind = w.any("R");
    w.parameters("P", 0, 4);
    let resolves = if w.chance(50) { "return Kinds$n.SECOND;" } else { "return this;" };
    let resolves = w.fill(resolves);
    w.set("resolves", resolves);
    let reads = match kind.name() {
        "String" | "Object" => ("writeObject(rest)", format!("({}) in.readObject()", kind.name())),
        _ => {
            let name = kind.accessor();
            (
                [
                    "writeBoolean(rest)",
                    "writeByte(rest)",
                    "writeChar(rest)",
                    "writeShort(rest)",
                    "writeInt(rest)",
                    "writeLong(rest)",
                    "writeFloat(rest)",
                    "writeDouble(rest)",
                ]
                .into_iter()
                .find(|call| call.contains(&format!("write{name}(")))
                .unwrap_or_default(),
                format!("in.read{name}()"),
            )
        }
    };
    w.set("writes", reads.0);
    w.set("reads", reads.1);
    w.action(
        "serialised",
        Cost::Classes,
        "    enum Kinds$n {
        FIRST, SECOND {
            @Override public String toString() {
                return \"two\";
            }
        }
    }

    static class Written$n implements Serializable, Sum.Summed {
        $T own;
        transient $U left;
        private final $U fixed;
        $T[] several;
        Object other;
        Written$n next;

        Written$n($T own, $U fixed) {
            this.own = own;
            this.fixed = fixed;
            left = fixed;
            several = new $T[] {own, own};
        }

        @Override public long sum() {
            long h = Sum.add(Sum.add(Sum.add(1L, own), left), fixed);
            return Sum.add(Sum.add(Sum.add(h, (Object) several), other), next == this ? 1 : 2);
        }
    }

    static class Custom$n extends Written$n {
        transient $R rest;

        Custom$n($T own, $U fixed, $R rest) {
            super(own, fixed);
            this.rest = rest;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.$writes;
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            rest = $reads;
        }

        @Override public long sum() {
            return Sum.add(super.sum(), rest);
        }
    }

    static class Resolved$n implements Serializable {
        private Object readResolve() {
            $resolves
        }
    }

    public static class Outside$n implements Externalizable, Sum.Summed {
        $R rest;

        public Outside$n() {
        }

        @Override public void writeExternal(ObjectOutput out) throws IOException {
            out.$writes;
        }

        @Override public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
            rest = $reads;
        }

        @Override public long sum() {
            return Sum.add(3L, rest);
        }
    }

    record Row$n($P) implements Serializable {
    }

    interface Later$n extends Supplier<Object>, Serializable {
    }

    static class Forwards$n implements InvocationHandler, Serializable {
        final Object value;

        Forwards$n(Object value) {
            this.value = value;
        }

        @Override public Object invoke(Object proxy, Method method, Object[] arguments) {
            return value;
        }
    }
",
        "        $T own = $Tv;
        Custom$n custom = new Custom$n(own, $Uv, $Rv);
        custom.next = i % 2 == 0 ? custom : null;
        custom.other = new ArrayList<>(List.of(Kinds$n.SECOND, \"text\", i, true, 'c', (byte) i));
        Outside$n outside = new Outside$n();
        outside.rest = $Rw;
        Later$n later = () -> own;
        Object proxy = Proxy.newProxyInstance(SEED.class.getClassLoader(), new Class<?>[] {Supplier.class}, new Forwards$n(i));
        Object[] graph = {custom, outside, new Resolved$n(), new Row$n($PA), Kinds$n.FIRST, later, proxy, custom,
            new boolean[] {true, false}, new char[] {'a'}, new short[] {1}, new int[][] {{i}, null}, new double[] {i},
            new HashMap<>(Map.of(\"key\", $T.class))};
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(graph);
        }
        h = Sum.add(Sum.add(h, bytes.size()), Arrays.hashCode(bytes.toByteArray()));
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Object[] read = (Object[]) in.readObject();
            h = Sum.add(h, read[0] == read[7]);
            h = Sum.add(h, ((Supplier<?>) read[6]).get());
            h = Sum.add(h, ((Later$n) read[5]).get());
            h = Sum.add(h, read[2] instanceof Kinds$n ? read[2] : \"itself\");
            h = Sum.add(h, ((Map<?, ?>) read[13]).get(\"key\"));
            read[2] = read[5] = read[6] = read[13] = null;
            h = Sum.add(h, (Object) read);
        }
        h = Sum.add(h, ObjectStreamClass.lookup(Custom$n.class).getSerialVersionUID());",
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
            .replace("return $Tr", "return $Tr")
            .as_str(),
    )
}

/// Classes that find fields by name and reach them by offset.
pub fn atomic_fields(w: &mut Writer) -> Action {
    w.any("T");
    w.any("U");
    w.action(
        "atomic fields",
        Cost::Cheap,
        "    static class Atomic$n {
        $T before;
        volatile int number;
        $U between;
        volatile long large;
        volatile Object object;
    }

    static final AtomicIntegerFieldUpdater<Atomic$n> NUMBER$n = AtomicIntegerFieldUpdater.newUpdater(Atomic$n.class, \"number\");
    static final AtomicLongFieldUpdater<Atomic$n> LARGE$n = AtomicLongFieldUpdater.newUpdater(Atomic$n.class, \"large\");
    static final AtomicReferenceFieldUpdater<Atomic$n, Object> OBJECT$n =
        AtomicReferenceFieldUpdater.newUpdater(Atomic$n.class, Object.class, \"object\");
    static final AtomicIntegerArray NUMBERS$n = new AtomicIntegerArray(8);
    static final AtomicReferenceArray<Object> OBJECTS$n = new AtomicReferenceArray<>(8);
    static final LongAdder ADDER$n = new LongAdder();
    static final AtomicStampedReference<String> STAMPED$n = new AtomicStampedReference<>(\"a\", 0);
",
        "        Atomic$n atomic = new Atomic$n();
        atomic.before = $Tv;
        atomic.between = $Uv;
        h = Sum.add(h, NUMBER$n.addAndGet(atomic, i));
        h = Sum.add(h, LARGE$n.getAndUpdate(atomic, value -> value * 3 + 1));
        h = Sum.add(h, LARGE$n.compareAndSet(atomic, 1, i));
        h = Sum.add(h, OBJECT$n.getAndSet(atomic, \"object\"));
        h = Sum.add(h, OBJECT$n.accumulateAndGet(atomic, i, (one, two) -> one + \" \" + two));
        h = Sum.add(Sum.add(Sum.add(h, atomic.before), atomic.between), atomic.number);
        h = Sum.add(Sum.add(h, atomic.large), atomic.object);
        h = Sum.add(h, NUMBERS$n.accumulateAndGet(i & 7, i, (one, two) -> one * 31 + two));
        h = Sum.add(h, OBJECTS$n.getAndSet(i & 7, $Tw));
        ADDER$n.add(i);
        h = Sum.add(h, ADDER$n.sum());
        int[] stamp = new int[1];
        String text = STAMPED$n.get(stamp);
        h = Sum.add(h, STAMPED$n.compareAndSet(text, i % 2 == 0 ? \"a\" : \"b\", stamp[0], stamp[0] + 1));
        h = Sum.add(h, STAMPED$n.getStamp());
        if (i % 500 == 2) {
            try {
                AtomicIntegerFieldUpdater.newUpdater(Atomic$n.class, \"large\");
            } catch (IllegalArgumentException e) {
                h = Sum.add(h, e);
            }
        }",
    )
}

/// `Unsafe`, as libraries use it.
pub fn raw_memory(w: &mut Writer) -> Action {
    let kind = w.any("T");
    let name = match kind.accessor() {
        "" => "Object",
        accessor => accessor,
    };
    w.set("name", name);
    w.any("U");
    w.action(
        "raw memory",
        Cost::Medium,
        "    static class Raw$n {
        $U before;
        $T own;
        volatile int number;

        Raw$n() {
            number = 5;
        }
    }

    static final sun.misc.Unsafe UNSAFE$n;
    static final long OWN$n;
    static final long NUMBER$n;
    static final long BASE$n;
    static final long SCALE$n;
    static final $T[] ARRAY$n = new $T[4];

    static {
        try {
            Field field = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\");
            field.setAccessible(true);
            UNSAFE$n = (sun.misc.Unsafe) field.get(null);
            OWN$n = UNSAFE$n.objectFieldOffset(Raw$n.class.getDeclaredField(\"own\"));
            NUMBER$n = UNSAFE$n.objectFieldOffset(Raw$n.class.getDeclaredField(\"number\"));
            BASE$n = UNSAFE$n.arrayBaseOffset($T[].class);
            SCALE$n = UNSAFE$n.arrayIndexScale($T[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
",
        "        Raw$n raw = i % 2 == 0 ? new Raw$n() : (Raw$n) UNSAFE$n.allocateInstance(Raw$n.class);
        h = Sum.add(Sum.add(h, raw.number), raw.own);
        raw.before = $Uv;
        UNSAFE$n.put$name(raw, OWN$n, $Tv);
        h = Sum.add(h, raw.own);
        raw.own = $Tw;
        h = Sum.add(h, ($T) UNSAFE$n.get$name(raw, OWN$n));
        UNSAFE$n.put$nameVolatile(ARRAY$n, BASE$n + SCALE$n * (i & 3), $Tv);
        h = Sum.add(Sum.add(h, (Object) ARRAY$n), ($T) UNSAFE$n.get$nameVolatile(ARRAY$n, BASE$n + SCALE$n * (i >> 1 & 3)));
        h = Sum.add(h, UNSAFE$n.getAndAddInt(raw, NUMBER$n, i));
        h = Sum.add(h, UNSAFE$n.compareAndSwapInt(raw, NUMBER$n, i, 7));
        h = Sum.add(Sum.add(h, raw.number), raw.before);
        long memory = UNSAFE$n.allocateMemory(32);
        UNSAFE$n.setMemory(memory, 32, (byte) i);
        UNSAFE$n.putLong(memory + 8, h);
        h = Sum.add(Sum.add(h, UNSAFE$n.getInt(memory + 10)), UNSAFE$n.getByte(memory));
        UNSAFE$n.freeMemory(memory);",
    )
}
