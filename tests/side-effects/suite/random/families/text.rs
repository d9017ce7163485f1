//! Switches, text, lambda expressions.

use crate::random::generator::{Action, Cost, Writer};

/// Enums, with bodies and in switches.
pub fn enums(w: &mut Writer) -> Action {
    let kind = w.any("T");
    w.set("Tr", kind.of("h"));
    w.any("U");
    let count = 3 + w.random.below(4);
    let mut constants = String::new();
    let mut cases = String::new();
    for at in 0..count {
        let body = w.chance(40);
        let value = if body {
            " {\n            @Override long own(int i) {\n                return i * 3L + ordinal();\n            }\n        }"
        } else {
            ""
        };
        constants += &format!("{}C{at}({at}){value}", if at == 0 { "" } else { ", " });
        if w.chance(70) {
            cases += &format!("                case C{at} -> {}L + i;\n", w.random.below(1000));
        }
    }
    w.set("constants", constants);
    w.set("cases", cases);
    w.set("count", count);
    w.action(
        "enums",
        Cost::Cheap,
        "    enum Choice$n {
        $constants;

        final int number;
        $U more;

        Choice$n(int number) {
            this.number = number;
        }

        long own(int i) {
            return number + i;
        }
    }

    static final Choice$n[] ALL$n = Choice$n.values();
    static final Map<Choice$n, Long> MAP$n = new EnumMap<>(Choice$n.class);
",
        "        Choice$n choice = ALL$n[i % $count];
        h = Sum.add(h, switch (choice) {
$cases                default -> choice.own(i);
        });
        switch (choice) {
            case C0:
                h++;
            case C1:
                h += choice.number;
                break;
            case C2:
                choice.more = $Uv;
                h = Sum.add(h, choice.more);
                // Falls through.
            default:
                h = Sum.add(h, choice);
        }
        MAP$n.merge(choice, (long) i, Long::sum);
        h = Sum.add(Sum.add(h, MAP$n), EnumSet.range(Choice$n.C0, choice));
        h = Sum.add(Sum.add(h, Choice$n.valueOf(\"C\" + i % $count)), choice.compareTo(Choice$n.C1));
        h = Sum.add(Sum.add(h, Choice$n.values()[i % 3]), choice.getDeclaringClass());
        if (i % 100 == 3) {
            try {
                h = Sum.add(h, Enum.valueOf(Choice$n.class, \"D\" + i));
            } catch (IllegalArgumentException e) {
                h = Sum.add(h, e);
            }
            try {
                Choice$n none = i % 200 == 3 ? null : choice;
                switch (none) {
                    case C1:
                        h++;
                    default:
                        h += 2;
                }
            } catch (NullPointerException e) {
                h = Sum.add(h, e);
            }
        }",
    )
}

/// Switches over strings, some of which collide.
pub fn strings(w: &mut Writer) -> Action {
    let words = ["Aa", "BB", "AaAa", "BBBB", "AaBB", "x", "", "\\u20ac", "longer text", "C#"];
    let mut cases = String::new();
    for word in words {
        if w.chance(60) {
            cases += &format!(
                "            case \"{word}\":\n                h += {};\n{}",
                w.random.below(10_000),
                if w.chance(70) { "                break;\n" } else { "" }
            );
        }
    }
    w.set("cases", cases);
    w.action(
        "strings",
        Cost::Cheap,
        "    static final String[] WORDS$n = {\"Aa\", \"BB\", \"AaAa\", \"BBBB\", \"AaBB\", \"x\", \"\", \"\\u20ac\", \"longer text\", \"C#\", null};

    static String make$n(int i) {
        String word = WORDS$n[i % 11];
        return i % 2 == 0 || word == null ? word : new String(word.toCharArray());
    }
",
        "        String word = make$n(i);
        if (word == null) {
            if (i % 110 == 10) {
                switch (word) {
                    case \"a\":
                        h = 1;
                    default:
                        h = 2;
                }
            }
            word = \"nothing\";
        }
        switch (word) {
$cases            default:
                h = Sum.add(h, word);
        }
        h = Sum.add(Sum.add(h, word.repeat(1 + i % 3).hashCode()), word.toUpperCase(Locale.ROOT));
        h = Sum.add(h, word.intern() == (word + \"\").intern());
        h = Sum.add(Sum.add(h, word.indexOf('B')), word.replace('a', '\\u20ac'));
        h = Sum.add(h, (Object) word.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        h = Sum.add(h, word.compareTo(WORDS$n[(i + 3) % 10]));
        h = Sum.add(h, new StringBuilder(word).reverse().insert(0, i).append('c').deleteCharAt(0).toString());
        if (i % 90 == 4) {
            h = Sum.add(h, String.format(Locale.ROOT, \"%s %5d %x %c %b %.3f\", word, i, i, 'c', i % 2 == 0, i / 7.0));
            h = Sum.add(h, String.join(\",\", List.of(word, word)).split(\",\").length);
            try {
                h = Sum.add(h, word.charAt(40));
            } catch (StringIndexOutOfBoundsException e) {
                h = Sum.add(h, e);
            }
            try {
                h = Sum.add(h, Integer.parseInt(word));
            } catch (NumberFormatException e) {
                h = Sum.add(h, e);
            }
        }",
    )
}

/// Concatenation of values of all types.
pub fn concatenation(w: &mut Writer) -> Action {
    let mut parts = Vec::new();
    for at in 0..2 + w.random.below(7) {
        let name = format!("K{at}");
        w.any(&name);
        if w.chance(40) {
            parts.push(format!(
                "\"{}\"",
                ["-", "\\u00e9", "\\u4e2d", "text ", "\\1\\2"][w.random.index(5)]
            ));
        }
        parts.push(w.fill(&format!("(${name}) ${name}v")));
    }
    let text = w.random.index(parts.len());
    parts.insert(text.min(1), "\"\"".to_owned());
    w.set("parts", parts.join(" + "));
    w.any("T");
    w.action(
        "concatenation",
        Cost::Cheap,
        "    static String joined$n = \"\";

    static int calls$n;

    static $T next$n(int i) {
        calls$n++;
        return $Tv;
    }
",
        "        String text = $parts;
        h = Sum.add(h, text);
        joined$n += next$n(i) + \"/\" + next$n(i + 1);
        joined$n = joined$n.length() > 60 ? joined$n.substring(40) : joined$n;
        h = Sum.add(Sum.add(h, joined$n), calls$n);
        h = Sum.add(h, new StringBuilder().append($Tv).append(i).append(text, 0, text.length() / 2).toString());
        char[] characters = text.toCharArray();
        h = Sum.add(h, String.valueOf(characters).equals(text));
        h = Sum.add(h, (\"\" + (Object) null + text.length() + 'c' + 1L + 2f + 3d + true));",
    )
}

/// Lambda expressions and references to methods.
pub fn lambdas(w: &mut Writer) -> Action {
    let first = w.any("T");
    w.any("U");
    let result = w.any("R");
    w.set("Tr", first.of("h"));
    w.set("Rr", result.of("h"));
    w.action(
        "lambdas",
        Cost::Cheap,
        "    interface Takes$n {
        $R take($T first, $U second) throws IOException;

        default Takes$n twice() {
            return (first, second) -> {
                take(first, second);
                return take(first, second);
            };
        }
    }

    interface Makes$n<X> {
        X make($T value);
    }

    static class Product$n implements Sum.Summed {
        final $T value;
        int calls;

        Product$n($T value) {
            this.value = value;
        }

        $R bound($T first, $U second) {
            long h = Sum.add(Sum.add(Sum.add(++calls, value), first), second);
            return $Rr;
        }

        @Override public long sum() {
            return Sum.add(calls, value);
        }
    }

    static $R fixed$n($T first, $U second) throws IOException {
        long h = Sum.add(Sum.add(8L, first), second);
        if (h % 67 == 3) {
            throw new IOException(\"fixed \" + h);
        }
        return $Rr;
    }

    static String several$n(Object... all) {
        return Arrays.deepToString(all);
    }

    static long curried$n(int i, $T a, $U b) {
        IntFunction<Function<$TB, Supplier<Long>>> curried = x -> y -> () -> Sum.add(Sum.add(x, y), b);
        return curried.apply(i).apply(a).get();
    }

    static final Takes$n PLAIN$n = SEED::fixed$n;
",
        "        $T value = $Tv;
        $U other = $Uv;
        Product$n product = new Product$n($Tw);
        Takes$n bound = product::bound;
        h = Sum.add(h, bound.twice().take(value, other));
        Takes$n captures = (first, second) -> {
            long sum = Sum.add(Sum.add(value == first ? 1L : 2L, other), second);
            return product.bound(first, second);
        };
        h = Sum.add(Sum.add(h, captures.take($Tw, other)), product);
        Makes$n<Product$n> makes = Product$n::new;
        h = Sum.add(h, makes.make(value));
        Makes$n<Object> boxes = x -> x;
        h = Sum.add(h, boxes.make(value));
        IntFunction<$T[]> arrays = $T[]::new;
        h = Sum.add(h, arrays.apply(3).length);
        BiFunction<Object, Object, String> several = SEED::several$n;
        h = Sum.add(Sum.add(h, several.apply(value, other)), curried$n(i, value, other));
        Runnable runs = (Runnable & Serializable) () -> product.calls += 5;
        runs.run();
        Comparator<Product$n> order = Comparator.comparing((Product$n p) -> p.calls).reversed().thenComparing(Product$n::sum);
        h = Sum.add(h, order.compare(product, makes.make($Tw)));
        h = Sum.add(h, PLAIN$n.take(value, other));",
    )
}

/// Streams and collections of boxes.
pub fn streams(w: &mut Writer) -> Action {
    w.any("T");
    w.any("U");
    let parallel = w.pick(&["", ".parallel()"]);
    w.set("parallel", parallel);
    w.action(
        "streams",
        Cost::Dear,
        "    static $T value$n(int i) {
        return $Tv;
    }
",
        "        final int start = i;
        List<Object> values = IntStream.range(i, i + 40)$parallel.mapToObj(x -> (Object) value$n(x)).collect(Collectors.toList());
        h = Sum.add(h, values);
        h = Sum.add(h, values.stream().map(String::valueOf).sorted().collect(Collectors.joining(\",\")));
        Map<Integer, List<Integer>> groups = IntStream.range(0, 60).boxed()$parallel
            .collect(Collectors.groupingBy(x -> (x + start) % 7, TreeMap::new, Collectors.toList()));
        h = Sum.add(h, groups);
        h = Sum.add(h, LongStream.rangeClosed(1, 50)$parallel.map(x -> x * start).filter(x -> x % 3 != 0).sum());
        h = Sum.add(h, Stream.iterate(1, x -> x + 1).limit(30).mapToInt(Integer::intValue).summaryStatistics().getAverage());
        Deque<Object> deque = new ArrayDeque<>();
        Map<Object, Object> map = new LinkedHashMap<>();
        PriorityQueue<Long> queue = new PriorityQueue<>(Comparator.reverseOrder());
        for (int x = i; x < i + 30; x++) {
            $U next = SEED.<Integer, $UB>convert$n(x, y -> $UvY);
            deque.addFirst(\"\" + next);
            map.put(x % 11, next);
            queue.add((long) x * 7919 % 101);
        }
        h = Sum.add(Sum.add(Sum.add(h, deque), map), queue.poll());
        values.replaceAll(x -> x == null ? \"none\" : x);
        h = Sum.add(h, new TreeSet<>(values.stream().map(Object::toString).toList()));
        try {
            for (Object value : values) {
                if (i % 5 == 0) {
                    values.remove(value);
                }
            }
        } catch (ConcurrentModificationException e) {
            h = Sum.add(h, e);
        }"
        .replace("SEED.<Integer, $UB>convert$n(x, y -> $UvY)", "SEED.other$n(x)")
        .as_str(),
    )
    .with_members(&w.fill(
        "
    static $U other$n(int i) {
        return $Uv;
    }
",
    ))
}
