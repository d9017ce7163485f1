//! What reflection says of classes, and values in boxes.

use crate::random::generator::{Action, Cost, Writer};
use crate::random::kinds::Kind;

/// Boxes: by the JVM, by bytecode, by generic code, by constructors.
pub fn boxes(w: &mut Writer) -> Action {
    let kind = Kind::any_primitive(w.random);
    w.kind("T", kind);
    let small = match kind {
        Kind::Float | Kind::Double => "h = Sum.add(h, box.equals($TB.valueOf(value)));",
        Kind::Boolean => "h = Sum.add(h, box == $TB.valueOf(value));",
        _ => "h = Sum.add(h, $TB.valueOf(($T) (i & 127)) == $TB.valueOf(($T) (i & 127)));",
    };
    let small = w.fill(small);
    w.set("small", small);
    w.action(
        "boxes",
        Cost::Medium,
        "    static <X> X same$n(X value) {
        return value;
    }

    static $T identity$n($T value) {
        return value;
    }

    static final Map<Object, Integer> MAP$n = new HashMap<>();
    static final $TB[] BOXES$n = new $TB[16];
",
        "        $T value = $Tv;
        $TB box = value;
        $T back = same$n(value);
        BOXES$n[i & 15] = box;
        h = Sum.add(Sum.add(Sum.add(h, back), box.hashCode()), (Object) BOXES$n);
        $small
        MAP$n.merge(value, 1, Integer::sum);
        h = Sum.add(h, MAP$n.get(box));
        if (MAP$n.size() > 500) {
            MAP$n.clear();
        }
        Constructor<$TB> constructor = $TB.class.getConstructor($T.class);
        h = Sum.add(h, constructor.newInstance(value));
        h = Sum.add(h, constructor.newInstance(value).equals(new $TB(value)));
        Method method = SEED.class.getDeclaredMethod(\"identity$n\", $T.class);
        h = Sum.add(h, method.invoke(null, value));
        h = Sum.add(h, ($T) method.invoke(null, box));
        h = Sum.add(h, $TB.class.getMethod(\"$TValue\").invoke(box));
        if (i % 71 == 3) {
            try {
                $T none = same$n(($TB) null);
                h = Sum.add(h, none);
            } catch (NullPointerException e) {
                h = Sum.add(h, e.getClass());
            }
        }"
        .replace("$TValue", &format!("{}Value", kind.name()))
        .as_str(),
    )
}

/// Annotations, which are proxies over maps of boxes.
pub fn annotations(w: &mut Writer) -> Action {
    let kind = Kind::any_primitive(w.random);
    w.kind("T", kind);
    let constant = match kind {
        Kind::Boolean => "true".to_owned(),
        Kind::Char => "'k'".to_owned(),
        Kind::Float => "1.25f".to_owned(),
        _ => format!("({}) {}", kind.name(), w.random.below(70_000)),
    };
    w.set("constant", constant);
    w.action(
        "annotations",
        Cost::Dear,
        "    @Retention(RetentionPolicy.RUNTIME)
    @interface Marks$n {
        $T value();

        $T[] several() default {$constant, $constant};

        boolean flag() default true;

        char letter() default 'q';

        byte small() default 9;

        short medium() default 300;

        Class<?> type() default $T[].class;

        RetentionPolicy policy() default RetentionPolicy.CLASS;

        Deprecated nested() default @Deprecated(since = \"3\", forRemoval = true);
    }

    @Marks$n($constant)
    static class Marked$n {
        @Marks$n(value = $constant, several = {}) $T field;

        void method(@Marks$n(value = $constant, flag = false) int parameter) {
        }
    }
",
        "        AnnotatedElement[] marked = {Marked$n.class, Marked$n.class.getDeclaredField(\"field\"),
            Marked$n.class.getDeclaredMethod(\"method\", int.class).getParameters()[0]};
        Marks$n marks = marked[i % 3].getAnnotation(Marks$n.class);
        h = Sum.add(Sum.add(Sum.add(h, marks.value()), (Object) marks.several()), marks.flag());
        h = Sum.add(Sum.add(Sum.add(h, marks.letter()), marks.small()), marks.medium());
        h = Sum.add(Sum.add(Sum.add(h, marks.type()), marks.policy()), marks.nested().forRemoval());
        h = Sum.add(h, marks.toString());
        h = Sum.add(h, marks.equals(marked[0].getAnnotation(Marks$n.class)));
        h = Sum.add(h, Marks$n.class.getMethod(\"value\").getDefaultValue());
        h = Sum.add(h, Marks$n.class.getMethod(\"several\").getDefaultValue());
        h = Sum.add(h, Marks$n.class.getMethod(\"letter\").invoke(marks));",
    )
}

/// What reflection says of the members of classes, sorted.
pub fn members(w: &mut Writer) -> Action {
    w.any("T");
    w.any("U");
    w.parameters("P", 0, 3);
    let library = w.pick(&[
        "Object",
        "String",
        "Thread",
        "Integer",
        "ArrayList",
        "HashMap",
        "Throwable",
        "Class",
        "StackTraceElement",
        "Character",
        "ReentrantLock",
        "ByteBuffer",
    ]);
    w.set("library", library);
    w.action(
        "members",
        Cost::Classes,
        "    interface Shown$n<X extends Comparable<X>> {
        X shown(X value) throws IOException;

        default $T other($P) {
            return ($T) $Tconstant;
        }
    }

    static class Shows$n<Y> implements Shown$n<String> {
        protected transient volatile $T first;
        public static final $U SECOND = ($U) $Uconstant;
        List<? super Y> list;

        @Override public String shown(String value) {
            return value;
        }

        class Inner {
            Y inner;
        }
    }

    static long sorted$n(Object[] members) {
        String[] texts = new String[members.length];
        for (int i = 0; i < members.length; i++) {
            texts[i] = members[i] + \" \" + ((Member) members[i]).getModifiers() + ((Member) members[i]).isSynthetic();
            if (members[i] instanceof Executable executable) {
                texts[i] = executable.toGenericString() + texts[i] + Arrays.toString(executable.getGenericParameterTypes())
                    + Arrays.toString(executable.getExceptionTypes());
                // The archive of preloaded classes, which agents do without, lacks flags of the
                // library's parameters.
                texts[i] += executable.getDeclaringClass().getClassLoader() == null ? executable.getParameterCount()
                    : Arrays.toString(executable.getParameters());
            } else if (members[i] instanceof Field field) {
                texts[i] += field.getGenericType();
            }
        }
        Arrays.sort(texts);
        return Sum.add(1, (Object) texts);
    }
"
        .replace("$Tconstant", constant(w, "T"))
        .replace("$Uconstant", constant(w, "U"))
        .as_str(),
        "        Class<?>[] types = {Shown$n.class, Shows$n.class, Shows$n.Inner.class, $library.class};
        Class<?> type = types[i % 4];
        h = Sum.add(h, sorted$n(type.getDeclaredFields()));
        h = Sum.add(h, sorted$n(type.getDeclaredMethods()));
        h = Sum.add(h, sorted$n(type.getDeclaredConstructors()));
        h = Sum.add(h, sorted$n(type.getMethods()));
        h = Sum.add(Sum.add(Sum.add(h, type.getModifiers()), type.toGenericString()), type.getNestHost());
        h = Sum.add(Sum.add(Sum.add(h, type.getEnclosingClass()), type.isMemberClass()), String.valueOf(type.getGenericSuperclass()));
        h = Sum.add(Sum.add(h, Arrays.toString(type.getInterfaces())), type.getSuperclass());
        ObjectStreamClass described = ObjectStreamClass.lookupAny(type);
        h = Sum.add(Sum.add(h, described.getSerialVersionUID()), described.getFields().length);
        try {
            h = Sum.add(h, type.getDeclaredField(\"absent\" + i).getName());
        } catch (NoSuchFieldException e) {
            h = Sum.add(h, e);
        }",
    )
}

/// A constant of the type that stands for a name.
fn constant(w: &Writer, name: &str) -> &'static str {
    match w.fill(&format!("${name}")).as_str() {
        "boolean" => "true",
        "String" | "Object" => "\"constant\"",
        "char" => "'c'",
        _ => "3",
    }
}
