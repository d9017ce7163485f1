//! Classes that come into being, and their initialisers.

use crate::random::generator::{Action, Cost, Writer};

/// Initialisers, some of which fail; classes by loaders of the program's own.
pub fn initialisers(w: &mut Writer) -> Action {
    w.any("T");
    w.any("U");
    let fails = w.chance(50);
    w.set("fails", if fails { "if (LOG$n.length() >= 0) {\n                throw new IllegalStateException(\"initialiser\");\n            }" } else { "" });
    let fails = w.fill("$fails");
    let fails = w.fill(&fails);
    w.set("fails", fails);
    w.action(
        "initialisers",
        Cost::Classes,
        "    static final StringBuilder LOG$n = new StringBuilder();

    static class Parent$n {
        static $T shared;

        static {
            int i = 3;
            shared = $Tv;
            LOG$n.append(\"parent \");
        }
    }

    static class Child$n extends Parent$n {
        static final long LATE = Sum.add(1L, shared);

        static {
            LOG$n.append(\"child \");
            $fails
        }
    }

    public static class Loaded$n implements Supplier<Object> {
        static int made;
        $U held;

        @Override public Object get() {
            int i = ++made;
            held = $Uv;
            return Sum.add(Sum.add(made, held), getClass().getClassLoader() == SEED.class.getClassLoader());
        }
    }

    static byte[] bytes$n(String name) throws IOException {
        try (InputStream in = SEED.class.getResourceAsStream(\"/\" + name + \".class\")) {
            return in.readAllBytes();
        }
    }

    static class Loader$n extends ClassLoader {
        Loader$n() {
            super(SEED.class.getClassLoader());
        }

        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (!name.endsWith(\"$Loaded$n\".substring(1))) {
                    return super.loadClass(name, resolve);
                }
                Class<?> found = findLoadedClass(name);
                if (found == null) {
                    try {
                        byte[] bytes = bytes$n(name);
                        found = defineClass(name, bytes, 0, bytes.length);
                    } catch (IOException e) {
                        throw new ClassNotFoundException(name, e);
                    }
                }
                return found;
            }
        }
    }
"
        .replace("\"$Loaded$n\".substring(1)", "\"Loaded$n\"")
        .as_str(),
        "        try {
            h = Sum.add(h, Child$n.LATE);
        } catch (ExceptionInInitializerError e) {
            h = Sum.add(h, e);
        } catch (NoClassDefFoundError e) {
            h = Sum.add(h, e.getMessage());
        }
        h = Sum.add(h, LOG$n.toString());
        ClassLoader loader = new Loader$n();
        Class<?> type = Class.forName(Loaded$n.class.getName(), i % 2 == 0, loader);
        Supplier<?> made = (Supplier<?>) type.getConstructor().newInstance();
        h = Sum.add(Sum.add(Sum.add(h, made.get()), made.get()), type == Loaded$n.class);
        h = Sum.add(h, new Loaded$n().get());
        try {
            h = Sum.add(h, ((Loaded$n) (Object) made).held);
        } catch (ClassCastException e) {
            h = Sum.add(h, e.getClass());
        }
        try {
            Class.forName(\"Absent\" + i, true, loader);
        } catch (ClassNotFoundException e) {
            h = Sum.add(h, e);
        }",
    )
}

/// Hidden classes.
pub fn hidden(w: &mut Writer) -> Action {
    let kind = w.any("T");
    w.set("Tr", kind.of("h"));
    w.any("U");
    let nest = w.pick(&["", ", MethodHandles.Lookup.ClassOption.NESTMATE"]);
    w.set("nest", nest);
    w.action(
        "hidden classes",
        Cost::Classes,
        "    static class Hidden$n implements Supplier<Object>, Function<Object, Object> {
        static int made;
        final $T[] values = new $T[3];
        $U rest;

        @Override public Object get() {
            int i = ++made;
            values[i % 3] = $Tv;
            rest = $Uv;
            return Sum.add(Sum.add(made, (Object) values), rest);
        }

        @Override public Object apply(Object value) {
            long h = Sum.add(1L, value);
            if (h % 5 == 2) {
                throw new IllegalArgumentException(\"hidden \" + h);
            }
            Supplier<$TB> later = () -> $Tr;
            return later.get();
        }
    }
",
        "        byte[] bytes;
        try (InputStream in = SEED.class.getResourceAsStream(\"/\" + Hidden$n.class.getName() + \".class\")) {
            bytes = in.readAllBytes();
        }
        MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(bytes, i % 2 == 0$nest);
        Class<?> type = lookup.lookupClass();
        h = Sum.add(Sum.add(h, type.isHidden()), type.getDeclaredFields().length * 100 + type.getDeclaredMethods().length);
        MethodHandle make = lookup.findConstructor(type, MethodType.methodType(void.class));
        Object made = make.invoke();
        for (int round = 0; round < 20; round++) {
            h = Sum.add(h, ((Supplier<?>) made).get());
        }
        try {
            h = Sum.add(h, ((Function<Object, Object>) made).apply(i));
        } catch (IllegalArgumentException e) {
            h = Sum.add(h, e.getMessage());
        } catch (LinkageError | ClassCastException e) {
            h = Sum.add(h, e.getClass());
        }
        h = Sum.add(h, new Hidden$n().get());
        VarHandle rest = lookup.findVarHandle(type, \"rest\", $U.class);
        h = Sum.add(h, (Object) rest.get(made));
        h = Sum.add(h, type.getDeclaredField(\"values\").getType());",
    )
}
