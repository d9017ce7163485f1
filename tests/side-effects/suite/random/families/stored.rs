//! What reaches fields without naming them: serialisation, offsets, views of bytes.

use crate::random::generator::{Action, Cost, Writer};
use crate::random::kinds::Kind;

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

/// Bytes seen as other types.
pub fn views(w: &mut Writer) -> Action {
    let kinds = [Kind::Char, Kind::Short, Kind::Int, Kind::Long, Kind::Float, Kind::Double];
    let kind = kinds[w.random.index(kinds.len())];
    w.kind("T", kind);
    let order = w.pick(&["LITTLE", "BIG"]);
    w.set("order", order);
    let allocate = w.pick(&["allocate", "allocateDirect"]);
    w.set("allocate", allocate);
    w.action(
        "views of bytes",
        Cost::Cheap,
        "    static final VarHandle VIEW$n = MethodHandles.byteArrayViewVarHandle($T[].class, ByteOrder.$order_ENDIAN);
    static final VarHandle BUFFER$n = MethodHandles.byteBufferViewVarHandle($T[].class, ByteOrder.$order_ENDIAN);
    static final byte[] BYTES$n = new byte[64];
    static final ByteBuffer DIRECT$n = ByteBuffer.$allocate(64);
",
        "        $T value = $Tv;
        VIEW$n.set(BYTES$n, i % 50, value);
        h = Sum.add(h, ($T) VIEW$n.get(BYTES$n, i % 50));
        h = Sum.add(h, ($T) VIEW$n.get(BYTES$n, i * 7 % 50));
        BUFFER$n.set(DIRECT$n, i % 50, value);
        h = Sum.add(h, ($T) BUFFER$n.get(DIRECT$n, i * 5 % 50));
        DIRECT$n.put$name(8, $Tw);
        h = Sum.add(Sum.add(h, DIRECT$n.get$name(i % 40)), DIRECT$n.order(ByteOrder.$order_ENDIAN).getInt(i % 60));
        h = Sum.add(h, (Object) BYTES$n);
        if (i % 300 == 9) {
            try {
                VIEW$n.set(BYTES$n, 64, value);
            } catch (IndexOutOfBoundsException e) {
                h = Sum.add(h, e);
            }
            try {
                h = Sum.add(h, DIRECT$n.getLong(60));
            } catch (IndexOutOfBoundsException e) {
                h = Sum.add(h, e.getClass());
            }
        }"
        .replace("$name", kind.accessor())
        .as_str(),
    )
}
