//! Reflection.

use crate::random::generator::{Action, Cost, Writer};
use crate::random::kinds::Kind;

/// `java.lang.reflect.Array` on arrays of every type.
pub fn arrays(w: &mut Writer) -> Action {
    let kind = w.any("T");
    w.any("U");
    let own = if kind.is_primitive() {
        "Array.set$TX(made, 2, value);
        h = Sum.add(h, Array.get$TX(made, 2));
        try {
            h = Sum.add(h, Array.getLong(own, i % 5));
            h = Sum.add(h, Array.getInt(own, i % 5));
        } catch (IllegalArgumentException e) {
            h = Sum.add(h, e.getClass());
        }
        h = Sum.add(h, deep$n(deep));"
    } else {
        "h = Sum.add(h, Arrays.asList(own));"
    };
    let own = w.fill(own);
    w.set("own", own);
    w.action(
        "arrays",
        Cost::Medium,
        "    static long deep$n($T[][] deep) {
        long h = 1;
        for ($T[] row : deep.clone()) {
            for ($T element : row) {
                h = Sum.add(h, element);
            }
        }
        return h;
    }
",
        "        $T value = $Tv;
        $T[] own = new $T[5];
        Object made = Array.newInstance($T.class, 3 + i % 3);
        Array.set(own, i % 5, value);
        Array.set(made, 1, value);
        h = Sum.add(h, own[i % 5]);
        h = Sum.add(h, Array.get(own, i % 5));
        h = Sum.add(h, (($T[]) made)[1]);
        $T[][] deep = ($T[][]) Array.newInstance($T.class, 2, 3);
        deep[1][i % 3] = value;
        Array.set(Array.get(deep, 0), 2, $Tw);
        $own
        System.arraycopy(own, 0, made, 0, Array.getLength(made));
        h = Sum.add(h, (Object) made);
        h = Sum.add(h, (Object) own.clone());
        if (i % 13 == 4) {
            try {
                Array.set(own, 7, value);
            } catch (ArrayIndexOutOfBoundsException e) {
                h = Sum.add(h, e);
            }
            try {
                $U other = $Uv;
                Array.set(own, 0, other);
                h = Sum.add(h, own[0]);
            } catch (IllegalArgumentException | NullPointerException e) {
                h = Sum.add(h, e.getClass());
            }
        }",
    )
}

/// `Method.invoke`.
pub fn methods(w: &mut Writer) -> Action {
    for (result, parameters) in [("R", "P"), ("Q", "V")] {
        let kind = w.any(result);
        w.set(&format!("{result}r"), kind.of("h"));
        w.parameters(parameters, 0, 4);
    }
    w.any("T");
    let access = w.pick(&["public", "private", "protected", ""]);
    w.set("access", access);
    let often = 7 + w.random.below(40);
    w.set("often", often);
    w.action(
        "methods",
        Cost::Medium,
        "    static class Base$n {
        int state;

        $Q virtual($V) throws Exception {
            long h = 5;
            $VMreturn $Qr;
        }
    }

    static class Invoked$n extends Base$n {
        $access static $R fixed($P) throws IOException {
            long h = 3;
            $PMif (h % $often == 2) {
                throw new IOException(\"fixed \" + h);
            }
            return $Rr;
        }

        @Override $Q virtual($V) throws Exception {
            long h = ++state;
            $VMif (h % $often == 1) {
                throw new IllegalStateException(\"virtual \" + h);
            }
            return $Qr;
        }

        static long several(String first, $T... all) {
            return Sum.add(Sum.add(all.length, first), (Object) all);
        }
    }

    static final Method FIXED$n;
    static final Method VIRTUAL$n;
    static final Method SEVERAL$n;

    static {
        try {
            FIXED$n = Invoked$n.class.getDeclaredMethod(\"fixed\", new Class<?>[] {void.class$PS}.length == 1
                ? new Class<?>[0] : Arrays.copyOfRange(new Class<?>[] {void.class$PS}, 1, $PC + 1));
            VIRTUAL$n = Base$n.class.getDeclaredMethod(\"virtual\",
                Arrays.copyOfRange(new Class<?>[] {void.class$VS}, 1, $VC + 1));
            SEVERAL$n = Invoked$n.class.getDeclaredMethod(\"several\", String.class, $T[].class);
            FIXED$n.setAccessible(true);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static final Base$n[] RECEIVERS$n = {new Invoked$n(), new Base$n()};
",
        "        h = Sum.add(h, SEVERAL$n.invoke(null, \"x\", new $T[] {$Tv, $Tw}));
        h = Sum.add(h, FIXED$n.isVarArgs() ^ SEVERAL$n.isVarArgs());
        try {
            h = Sum.add(h, FIXED$n.invoke(null, new Object[] {$PA}));
            h = Sum.add(h, VIRTUAL$n.invoke(RECEIVERS$n[i & 1], new Object[] {$VA}));
        } catch (InvocationTargetException e) {
            h = Sum.add(h, e);
        }
        if (i % 101 == 7) {
            try {
                h = Sum.add(h, FIXED$n.invoke(null, new Object[] {$PA, \"more\"}));
            } catch (IllegalArgumentException e) {
                h = Sum.add(h, e.getClass());
            }
            try {
                h = Sum.add(h, VIRTUAL$n.invoke(\"text\", new Object[] {$VA}));
            } catch (IllegalArgumentException e) {
                h = Sum.add(h, e.getClass());
            }
            try {
                h = Sum.add(h, VIRTUAL$n.invoke(null, new Object[] {$VA}));
            } catch (NullPointerException e) {
                h = Sum.add(h, e.getClass());
            }
        }"
            .replace("{$PA, \"more\"}", if w.fill("$PC") == "0" { "{\"more\"}" } else { "{$PA, \"more\"}" })
            .as_str(),
    )
}

/// `Constructor.newInstance`.
pub fn constructors(w: &mut Writer) -> Action {
    w.parameters("P", 0, 4);
    w.any("T");
    let inner = w.chance(50);
    w.set("static", if inner { "" } else { "static " });
    w.set("outer", if inner { ", SEED.class" } else { "" });
    w.set("this", if inner { "OUTER$n, " } else { "" });
    let this = w.fill("$this");
    let this = w.fill(&this);
    w.set("this", this.as_str());
    let declared = if inner { "static final SEED OUTER$n = new SEED();\n" } else { "" };
    let arguments = w.fill("$this$PA");
    w.set("all", arguments.trim_end_matches(", "));
    let members = format!(
        "    {declared}    $static class Made$n implements Sum.Summed {{
        final long sum;
        $T rest;

        private Made$n($P) throws Exception {{
            long h = 7;
            $PMsum = h;
            if (h % 29 == 3) {{
                throw new Exception(\"made \" + h);
            }}
        }}

        Made$n($T... all) {{
            sum = Sum.add(3L, (Object) all);
            rest = all[0];
        }}

        @Override public long sum() {{
            return Sum.add(sum, rest);
        }}
    }}

    abstract static class Abstract$n {{
    }}
"
    );
    let body = "        List<Class<?>> types = new ArrayList<>(Arrays.asList(void.class$outer$PS));
        types.remove(0);
        Constructor<?> constructor = Made$n.class.getDeclaredConstructor(types.toArray(new Class<?>[0]));
        constructor.setAccessible(true);
        try {
            h = Sum.add(h, constructor.newInstance(new Object[] {$all}));
        } catch (InvocationTargetException e) {
            h = Sum.add(h, e);
        }
        Constructor<?>[] all = Made$n.class.getDeclaredConstructors();
        h = Sum.add(h, all.length);
        for (Constructor<?> other : all) {
            if (other.isVarArgs()) {
                h = Sum.add(h, other.newInstance(VARIABLE));
            }
        }
        if (i % 50 == 9) {
            try {
                h = Sum.add(h, Abstract$n.class.getDeclaredConstructor().newInstance());
            } catch (InstantiationException e) {
                h = Sum.add(h, e);
            }
        }"
    .replace("VARIABLE", "new Object[] {$thisnew $T[] {$Tv, $Tw}}");
    w.action("constructors", Cost::Medium, &members, &body)
}

/// `Field.get`, `set` and their like.
pub fn fields(w: &mut Writer) -> Action {
    let first = w.any("T");
    let second = w.any("U");
    w.set("static", "");
    let modifier = w.pick(&["", "volatile ", "private ", "public "]);
    w.set("modifier", modifier);
    let typed = |kind: Kind, name: &str, field: &str| {
        if kind.is_primitive() {
            format!(
                "{field}.set${name}X(object, ${name}w);
        h = Sum.add(h, {field}.get${name}X(object));
        try {{
            h = Sum.add(h, {field}.getDouble(object));
            {field}.setLong(object, i);
        }} catch (IllegalArgumentException e) {{
            h = Sum.add(h, e.getClass());
        }}"
            )
        } else {
            format!("{field}.set(object, null);\n        h = Sum.add(h, {field}.get(object));")
        }
    };
    let first = w.fill(&typed(first, "T", "FIRST$n"));
    let second = w.fill(&typed(second, "U", "SECOND$n"));
    w.set("first", first);
    w.set("second", second);
    w.action(
        "fields",
        Cost::Medium,
        "    static class Held$n {
        $modifier$T first;
        $modifierstatic $U second;
        final $T third;

        Held$n($T third) {
            this.third = third;
        }
    }

    static final Field FIRST$n;
    static final Field SECOND$n;
    static final Field THIRD$n;

    static {
        try {
            FIRST$n = Held$n.class.getDeclaredField(\"first\");
            SECOND$n = Held$n.class.getDeclaredField(\"second\");
            THIRD$n = Held$n.class.getDeclaredField(\"third\");
            THIRD$n.setAccessible(true);
        } catch (NoSuchFieldException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
",
        "        Held$n object = new Held$n($Tv);
        FIRST$n.set(object, $Tv);
        h = Sum.add(h, object.first);
        object.first = $Tw;
        h = Sum.add(h, FIRST$n.get(object));
        SECOND$n.set(null, $Uv);
        h = Sum.add(h, Held$n.second);
        Held$n.second = $Uw;
        h = Sum.add(h, SECOND$n.get(null));
        h = Sum.add(h, THIRD$n.get(object));
        THIRD$n.set(object, $Tw);
        h = Sum.add(h, THIRD$n.get(object));
        $first
        $second
        h = Sum.add(Sum.add(h, object.first), Held$n.second);",
    )
}
