//! Exceptions, and arithmetic.

use std::fmt::Write;

use crate::random::generator::{Action, Cost, Writer};
use crate::random::kinds::Kind;

/// Exceptions through calls, handlers and `finally`.
pub fn exceptions(w: &mut Writer) -> Action {
    w.any("T");
    let kind = w.any("R");
    w.set("Rr", kind.of("h"));
    for name in ["a", "b", "c", "d"] {
        let number = 3 + w.random.below(40);
        w.set(&format!("{name}Often"), number);
    }
    let returns = w.chance(50);
    w.set(
        "finally",
        if returns {
            "if (i % 19 == 4) {\n                return Sum.add(h, 99);\n            }"
        } else {
            "h += 3;"
        },
    );
    w.action(
        "exceptions",
        Cost::Medium,
        "    static class Own$n extends Exception {
        final $T held;

        Own$n(String message, $T held, Throwable cause) {
            super(message, cause);
            this.held = held;
        }
    }

    static class Light$n extends RuntimeException {
        Light$n(String message) {
            super(message, null, true, false);
        }
    }

    static $R deep$n(int i, int depth) throws Own$n {
        if (depth > 0) {
            try {
                return deep$n(i, depth - 1);
            } catch (Light$n e) {
                throw new Own$n(\"depth \" + depth, $Tv, e);
            } finally {
                count$n++;
            }
        }
        long h = i;
        if (i % $aOften == 1) {
            throw new Own$n(\"own \" + i, $Tw, null);
        } else if (i % $bOften == 2) {
            throw new Light$n(\"light \" + i);
        } else if (i % $cOften == 1) {
            throw new AssertionError(\"error \" + i);
        }
        return $Rr;
    }

    static int count$n;

    static long caught$n(int i) throws Own$n {
        long h = 1;
        outer:
        for (int round = 0; round < 4; round++) {
            try {
                h = Sum.add(h, deep$n(i + round, round));
                if (h % $dOften == 0) {
                    continue outer;
                }
            } catch (Own$n e) {
                h = Sum.add(Sum.add(h, e), e.held);
                if (round == 3) {
                    e.addSuppressed(new Light$n(\"suppressed\"));
                    throw e;
                }
            } catch (AssertionError | Light$n e) {
                h = Sum.add(h, e);
                break;
            } finally {
                $finally
            }
        }
        return h;
    }
",
        "        h = Sum.add(Sum.add(h, caught$n(i)), count$n);
        try {
            h = Sum.add(h, (Object) deep$n(i, 2));
        } catch (Throwable e) {
            StackTraceElement[] trace = e.getStackTrace();
            h = Sum.add(h, trace.length > 0 ? trace[0].toString() : \"none\");
            e.setStackTrace(new StackTraceElement[0]);
            throw e;
        }",
    )
}

/// Exceptions that the JVM makes, with its messages.
pub fn implicit_exceptions(w: &mut Writer) -> Action {
    w.any("T");
    w.any("U");
    let mut cases = String::new();
    let all = [
        "h = Sum.add(h, array[i % 7]);",
        "h = Sum.add(h, 100 / (i % 4));",
        "h = Sum.add(h, holder.next.next.value);",
        "h = Sum.add(h, ((Chain$n) object).value);",
        "Object[] store = i % 3 == 0 ? new String[1] : new Object[1];\n                store[0] = holder;",
        "h = Sum.add(h, new $T[3 - i % 6].length);",
        "synchronized (i % 3 == 0 ? null : holder) {\n                    h++;\n                }",
        "h = Sum.add(h, holder.several[i % 4].length);",
        "h = Sum.add(h, holder.next.method(null).next.method(\"x\").value);",
        "if (i % 2 == 0) {\n                    throw i % 3 == 0 ? null : new IllegalStateException(\"thrown\");\n                }",
        "Integer box = (Integer) object;\n                h += box;",
        "holder.next.several = null;\n                holder.several[1][2] = $Tv;",
        "h = Sum.add(h, (long) i % (i % 5));",
        "h = Sum.add(h, List.of(1, 2).get(i % 4));",
        "h = Sum.add(h, new ArrayList<>(List.of(\"a\")).iterator().next().charAt(i % 2));",
        "h = Sum.add(h, ((Supplier<?>) object).get());",
    ];
    let count = 4 + w.random.index(6);
    for at in 0..count {
        let statement = all[w.random.index(all.len())];
        let _ = write!(
            cases,
            "            case {at}: {{\n                {statement}\n                break;\n            }}\n"
        );
    }
    let cases = w.fill(&cases);
    w.set("cases", cases);
    w.set("count", count);
    w.action(
        "implicit exceptions",
        Cost::Medium,
        "    static class Chain$n {
        Chain$n next;
        $T value;
        $T[][] several = new $T[2][];

        Chain$n method(String text) {
            return text == null ? next : this;
        }
    }

    static long implicit$n(int i, Chain$n holder, Object object, $U[] array) {
        long h = 0;
        switch (i % $count) {
$cases            default:
                h = 9;
        }
        return h;
    }
",
        "        Chain$n holder = new Chain$n();
        holder.value = $Tv;
        holder.next = i % 5 == 0 ? null : new Chain$n();
        if (i % 6 == 0) {
            holder.several[i % 2] = new $T[2];
        }
        Object object = i % 4 == 0 ? holder : i % 4 == 1 ? (Object) i : i % 4 == 2 ? \"text\" : null;
        try {
            h = Sum.add(h, implicit$n(i, holder, object, i % 9 == 0 ? null : new $U[] {$Uv, $Uw, $Uv, $Uw}));
        } catch (RuntimeException e) {
            h = Sum.add(h, e);
        }",
    )
}

/// `try` with resources.
pub fn resources(w: &mut Writer) -> Action {
    w.any("T");
    for name in ["a", "b", "c"] {
        let number = 4 + w.random.below(30);
        w.set(&format!("{name}Often"), number);
    }
    w.action(
        "resources",
        Cost::Medium,
        "    static long log$n;

    static class Resource$n implements AutoCloseable {
        final int i;
        $T held;

        Resource$n(int i, $T held) throws IOException {
            this.i = i;
            this.held = held;
            if (i % $aOften == 1) {
                throw new IOException(\"opening \" + i);
            }
        }

        long use() {
            if (i % $bOften == 2) {
                throw new UnsupportedOperationException(\"using \" + i);
            }
            return Sum.add(i, held);
        }

        @Override public void close() throws IOException {
            log$n = Sum.add(log$n, i);
            if (i % $cOften == 3) {
                throw new IOException(\"closing \" + i);
            }
        }
    }
",
        "        try (Resource$n first = new Resource$n(i, $Tv); Resource$n second = new Resource$n(i * 3 + 1, $Tw)) {
            h = Sum.add(Sum.add(h, first.use()), second.use());
            if (i % 12 == 0) {
                return h;
            }
        } catch (IOException e) {
            h = Sum.add(h, e);
        } finally {
            h = Sum.add(h, log$n);
        }",
    )
}

/// Loops of arithmetic on all primitive types.
pub fn arithmetic(w: &mut Writer) -> Action {
    let mut declared = String::new();
    let mut statements = String::new();
    let kinds: Vec<_> = (0..3 + w.random.below(3)).map(|_| Kind::any_primitive(w.random)).collect();
    for (at, kind) in kinds.iter().enumerate() {
        let value = kind.value(w.random);
        let _ = writeln!(declared, "        {} x{at} = {value};", kind.name());
    }
    let mut mixed = String::new();
    for (at, &kind) in kinds.iter().enumerate() {
        let _ = writeln!(mixed, "        h = Sum.add(h, x{at});");
        let other = w.random.index(kinds.len());
        let name = kind.name();
        let statement = match (kind, kinds[other]) {
            (Kind::Boolean, Kind::Boolean) => format!("x{at} ^= !x{other} | round % 3 == 0;"),
            (Kind::Boolean, _) => format!("x{at} = x{other} > round || x{at} && x{other} != 0;"),
            (_, Kind::Boolean) => {
                format!("x{at} = ({name}) (x{other} ? x{at} + round : x{at} * 3 - 1);")
            }
            (Kind::Float | Kind::Double, _) => {
                format!("x{at} = x{at} / 3 + ({name}) x{other} % 1000;")
            }
            (_, Kind::Float | Kind::Double) => format!("x{at} += ({name}) (x{other} * 7) ^ round;"),
            (Kind::Char, _) => format!("x{at} = (char) (x{at} * 31 + x{other} >>> 1);"),
            _ => format!(
                "x{at} = ({name}) (x{at} * 31 ^ x{other} >> (round & 5) | 1 - x{other} % 1000);"
            ),
        };
        let _ = writeln!(statements, "            {statement}");
    }
    w.set("declared", declared);
    w.set("statements", statements);
    w.set("mixed", mixed);
    w.action(
        "arithmetic",
        Cost::Cheap,
        "",
        "$declared        int[] kept = new int[16];
        for (int round = 0; round < 10 + i % 30; round++) {
$statements            kept[round & 15] += round * i;
        }
$mixed        h = Sum.add(h, (Object) kept);
        h = Sum.add(h, Math.floorMod(i * 7919, 100) + Integer.bitCount(i) + Long.numberOfTrailingZeros(h));
        h = Sum.add(h, Math.sqrt(i) + Math.fma(i, 2.5, 1) + StrictMath.sin(i) + Math.abs(-i));
        h = Sum.add(h, Integer.toString(i, 7) + Integer.reverse(i) + Long.rotateLeft(h, 9) + (byte) i + (char) (i % 60 + 40));
        h = Sum.add(h, java.math.BigInteger.valueOf(h).multiply(java.math.BigInteger.valueOf(i)));",
    )
}
