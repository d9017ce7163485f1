//! Method handles, handles of variables and call sites.

use crate::random::generator::{Action, Cost, Writer};
use crate::random::kinds::Kind;

/// The classes of parameters as an argument of `methodType`.
const TYPE: &str = "MethodType.methodType($R.class, Arrays.copyOfRange(new Class<?>[] {void.class$PS}, 1, $PC + 1))";

/// Handles of methods and constructors, invoked in all ways.
pub fn methods(w: &mut Writer) -> Action {
    let kind = w.any("R");
    w.set("Rr", kind.of("h"));
    w.parameters("P", 0, 4);
    let wide = w.fill("$PC") != "0";
    let generic: Vec<_> =
        (0..w.fill("$PC").parse().unwrap_or(0)).map(|at: u32| format!("(Object) a{at}")).collect();
    w.set("generic", generic.join(", "));
    let type_ = w.fill(TYPE);
    w.set("type", type_);
    w.set("comma", if wide { ", " } else { "" });
    w.action(
        "handles",
        Cost::Cheap,
        "    static class Called$n {
        final long made;

        Called$n($P) throws IOException {
            long h = 9;
            $PMmade = h;
            if (h % 97 == 5) {
                throw new IOException(\"made \" + h);
            }
        }

        $R virtual($P) {
            long h = made;
            $PMreturn $Rr;
        }
    }

    static $R fixed$n($P) throws IOException {
        long h = 2;
        $PMif (h % 89 == 1) {
            throw new IOException(\"fixed \" + h);
        }
        return $Rr;
    }

    static final MethodHandle FIXED$n;
    static final MethodHandle VIRTUAL$n;
    static final MethodHandle MAKE$n;
    static MethodHandle loose$n;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            MethodType type = $type;
            FIXED$n = lookup.findStatic(SEED.class, \"fixed$n\", type);
            VIRTUAL$n = lookup.findVirtual(Called$n.class, \"virtual\", type);
            MAKE$n = lookup.findConstructor(Called$n.class, type.changeReturnType(void.class));
            loose$n = FIXED$n.asType(type.generic());
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
",
        "        $PLh = Sum.add(h, ($R) FIXED$n.invokeExact($PU));
        h = Sum.add(h, FIXED$n.invoke($generic));
        h = Sum.add(h, (Object) loose$n.invokeExact($generic));
        Called$n called = (Called$n) MAKE$n.invokeExact($PU);
        h = Sum.add(h, called.made);
        h = Sum.add(h, ($R) VIRTUAL$n.invokeExact(called$comma$PU));
        if (i % 20 == 3) {
            h = Sum.add(h, FIXED$n.invokeWithArguments(Arrays.asList($generic)));
            h = Sum.add(h, VIRTUAL$n.bindTo(called).invokeWithArguments(new Object[] {$PU}));
            try {
                h = Sum.add(h, (Object) FIXED$n.invokeExact(\"wrong\", i));
            } catch (WrongMethodTypeException e) {
                h = Sum.add(h, e.getClass());
            }
            try {
                h = Sum.add(h, ($R) VIRTUAL$n.invokeExact((Called$n) null$comma$PU));
            } catch (NullPointerException e) {
                h = Sum.add(h, e.getClass());
            }
        }",
    )
}

/// Handles made of handles.
pub fn combined(w: &mut Writer) -> Action {
    let kind = w.any("R");
    w.set("Rr", kind.of("h"));
    w.parameters("P", 1, 4);
    let type_ = w.fill(TYPE);
    w.set("type", type_);
    let mut steps = String::new();
    for _ in 0..2 + w.random.below(4) {
        steps += match w.random.below(8) {
            0 => "            handle = MethodHandles.filterReturnValue(handle, lookup.findStatic(SEED.class, \"after$n\",
                MethodType.methodType($R.class, $R.class)));\n",
            1 => "            handle = MethodHandles.dropArguments(handle, 0, String.class, char.class, long.class);
            handle = MethodHandles.insertArguments(handle, 0, \"inserted\", 'c', 5L);\n",
            2 => "            handle = MethodHandles.catchException(handle, IOException.class, MethodHandles.dropArguments(
                MethodHandles.constant($R.class, RESULT$n), 0, IOException.class));\n",
            3 => "            handle = MethodHandles.guardWithTest(MethodHandles.dropArguments(lookup.findStatic(SEED.class, \"test$n\",
                MethodType.methodType(boolean.class)), 0, type.parameterList()), handle, plain);\n",
            4 => "            handle = handle.asSpreader(Object[].class, type.parameterCount())
                .asCollector(Object[].class, type.parameterCount()).asType(type);\n",
            5 => "            handle = MethodHandles.tryFinally(handle, MethodHandles.dropArguments(MethodHandles.identity($R.class),
                0, Throwable.class));\n",
            6 => "            handle = MethodHandles.foldArguments(handle, MethodHandles.dropArguments(lookup.findStatic(SEED.class,
                \"count$n\", MethodType.methodType(void.class)), 0, type.parameterList()));\n",
            _ => "            handle = handle.asType(type.wrap()).asType(type.generic()).asType(type);\n",
        };
    }
    let steps = w.fill(&steps);
    w.set("steps", steps);
    let result = match kind {
        Kind::Text | Kind::Boxed => "\"result\"".to_owned(),
        Kind::Boolean => "true".to_owned(),
        other => format!("({}) 7", other.name()),
    };
    w.set("result", result);
    w.action(
        "combined handles",
        Cost::Cheap,
        "    static int counted$n;
    static final $R RESULT$n = $result;
    static final MethodHandle COMBINED$n;

    static $R plain$n($P) throws IOException {
        long h = counted$n;
        $PMif (h % 31 == 1) {
            throw new IOException(\"plain \" + h);
        }
        return $Rr;
    }

    static $R after$n($R value) {
        long h = Sum.add(1L, value);
        return $Rr;
    }

    static boolean test$n() {
        return counted$n % 3 != 0;
    }

    static void count$n() {
        counted$n++;
    }

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            MethodType type = $type;
            MethodHandle plain = lookup.findStatic(SEED.class, \"plain$n\", type);
            MethodHandle handle = plain;
$steps            COMBINED$n = handle;
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
",
        "        $PLcounted$n++;
        try {
            h = Sum.add(h, ($R) COMBINED$n.invokeExact($PU));
        } catch (IOException e) {
            h = Sum.add(h, e);
        }
        if (i % 30 == 3) {
            $R result = (($R) COMBINED$n.invoke($PU));
            h = Sum.add(Sum.add(h, result), COMBINED$n.type().toString());
        }",
    )
}

/// Handles that read and write fields and elements.
pub fn fields(w: &mut Writer) -> Action {
    w.any("T");
    w.any("U");
    w.action(
        "handles of fields",
        Cost::Cheap,
        "    static class Holds$n {
        $T own;
        volatile $U other;
        static $U shared;
    }

    static final MethodHandle GET$n;
    static final MethodHandle SET$n;
    static final MethodHandle GETS$n;
    static final MethodHandle SETS$n;
    static MethodHandle element$n;
    static MethodHandle store$n;
    static final $U[] ARRAY$n = new $U[4];

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            GET$n = lookup.findGetter(Holds$n.class, \"own\", $T.class);
            SET$n = lookup.unreflectSetter(Holds$n.class.getDeclaredField(\"own\"));
            GETS$n = lookup.findStaticGetter(Holds$n.class, \"shared\", $U.class);
            SETS$n = lookup.findStaticSetter(Holds$n.class, \"shared\", $U.class);
            element$n = MethodHandles.arrayElementGetter($U[].class);
            store$n = MethodHandles.arrayElementSetter($U[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
",
        "        Holds$n holds = new Holds$n();
        $T value = $Tv;
        $U other = $Uv;
        SET$n.invokeExact(holds, value);
        h = Sum.add(h, holds.own);
        holds.own = $Tw;
        h = Sum.add(h, ($T) GET$n.invokeExact(holds));
        SETS$n.invokeExact(other);
        h = Sum.add(h, Holds$n.shared);
        h = Sum.add(h, ($U) GETS$n.invokeExact());
        store$n.invokeExact(ARRAY$n, i & 3, other);
        h = Sum.add(h, (Object) ARRAY$n);
        h = Sum.add(h, ($U) element$n.invokeExact(ARRAY$n, i >> 2 & 3));
        holds.other = $Uw;
        h = Sum.add(Sum.add(h, (Object) GETS$n.invoke()), holds.other);",
    )
}

/// `VarHandle` on fields and elements of every type.
pub fn variables(w: &mut Writer) -> Action {
    let kind = w.any("T");
    // C2 of JDK 17 and 21 gives bytes and shorts of these accesses without their sign.
    w.set(
        "low",
        match kind.name() {
            "byte" => " & 0xFF",
            "short" => " & 0xFFFF",
            _ => "",
        },
    );
    let mut more = String::new();
    if kind.is_number() {
        more += "        h = Sum.add(h, ($T) OWN$n.getAndAdd(varied, other)$low);
        h = Sum.add(h, ($T) ELEMENT$n.getAndAddRelease(ARRAY$n, i & 7, other)$low);\n";
    }
    if kind.has_bits() {
        more += "        h = Sum.add(h, ($T) OWN$n.getAndBitwiseOr(varied, other)$low);
        h = Sum.add(h, ($T) SHARED$n.getAndBitwiseXor(value)$low);
        h = Sum.add(h, ($T) ELEMENT$n.getAndBitwiseAnd(ARRAY$n, i >> 1 & 7, value)$low);\n";
    }
    let more = w.fill(&more);
    w.set("more", more);
    w.action(
        "variables",
        Cost::Cheap,
        "    static class Varied$n {
        $T own;
        static $T shared;
    }

    static final VarHandle OWN$n;
    static final VarHandle SHARED$n;
    static final VarHandle ELEMENT$n = MethodHandles.arrayElementVarHandle($T[].class);
    static final $T[] ARRAY$n = new $T[8];

    static {
        try {
            OWN$n = MethodHandles.lookup().findVarHandle(Varied$n.class, \"own\", $T.class);
            SHARED$n = MethodHandles.lookup().findStaticVarHandle(Varied$n.class, \"shared\", $T.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
",
        "        Varied$n varied = new Varied$n();
        $T value = $Tv;
        $T other = $Tw;
        OWN$n.set(varied, value);
        h = Sum.add(h, varied.own);
        h = Sum.add(h, OWN$n.compareAndSet(varied, value, other));
        h = Sum.add(h, ($T) OWN$n.getVolatile(varied));
        h = Sum.add(h, ($T) OWN$n.getAndSet(varied, value)$low);
        h = Sum.add(h, ($T) OWN$n.compareAndExchange(varied, value, other)$low);
        SHARED$n.setVolatile(other);
        h = Sum.add(h, ($T) SHARED$n.getAndSet(value)$low);
        h = Sum.add(h, Varied$n.shared);
        h = Sum.add(h, ($T) ELEMENT$n.getAndSet(ARRAY$n, i & 7, value)$low);
        h = Sum.add(h, ELEMENT$n.compareAndSet(ARRAY$n, i & 7, value, other));
$more        h = Sum.add(Sum.add(h, varied.own), (Object) ARRAY$n);
        if (i % 200 == 7) {
            try {
                h = Sum.add(h, ($T) ELEMENT$n.getAcquire(ARRAY$n, 8));
            } catch (ArrayIndexOutOfBoundsException e) {
                h = Sum.add(h, e);
            }
            try {
                OWN$n.set((Varied$n) null, value);
            } catch (NullPointerException e) {
                h = Sum.add(h, e.getClass());
            }
            h = Sum.add(h, OWN$n.toMethodHandle(VarHandle.AccessMode.GET).invoke(varied));
        }",
    )
}

/// Call sites that change, and interfaces over handles.
pub fn call_sites(w: &mut Writer) -> Action {
    w.any("T");
    let site = w.pick(&["MutableCallSite", "VolatileCallSite"]);
    w.set("site", site);
    w.action(
        "call sites",
        Cost::Medium,
        "    static long one$n($T value) {
        return Sum.add(1L, value);
    }

    static long two$n($T value) {
        return Sum.add(2L, value);
    }

    static final MethodHandle ONE$n;
    static final MethodHandle TWO$n;
    static final $site SITE$n;
    static final MethodHandle INVOKER$n;

    interface Applied$n {
        long apply($T value);
    }

    static final Applied$n PROXY$n;

    static {
        try {
            MethodType type = MethodType.methodType(long.class, $T.class);
            ONE$n = MethodHandles.lookup().findStatic(SEED.class, \"one$n\", type);
            TWO$n = MethodHandles.lookup().findStatic(SEED.class, \"two$n\", type);
            SITE$n = new $site(ONE$n);
            INVOKER$n = SITE$n.dynamicInvoker();
            PROXY$n = new Applied$n() {
                @Override public long apply($T value) {
                    try {
                        return (long) INVOKER$n.invokeExact(value);
                    } catch (Throwable e) {
                        return Sum.add(3L, e);
                    }
                }
            };
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
",
        "        $T value = $Tv;
        if (i % 400 == 0) {
            SITE$n.setTarget(i % 800 == 0 ? ONE$n : TWO$n);
        }
        h = Sum.add(h, (long) INVOKER$n.invokeExact(value));
        h = Sum.add(h, PROXY$n.apply($Tw));
        if (i % 90 == 1) {
            CallSite lambda = LambdaMetafactory.metafactory(MethodHandles.lookup(), \"apply\",
                MethodType.methodType(Function.class), MethodType.methodType(Object.class, Object.class),
                MethodHandles.lookup().findStatic(String.class, \"valueOf\", MethodType.methodType(String.class, Object.class)),
                MethodType.methodType(String.class, Object.class));
            h = Sum.add(h, ((Function<Object, Object>) lambda.getTarget().invoke()).apply(value));
        }",
    )
}
