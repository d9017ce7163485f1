//! Java sources too long to write by hand: methods at the limits of the
//! class-file format. All use the language of Java 1.3, so that every
//! compiler and target can take them.

use std::fmt::Write as _;

/// More than 256 local variables, so that loads, stores, `iinc` and (for old
/// targets) `ret` appear in their `wide` form, with increments beyond a byte.
pub fn wide_locals() -> String {
    let mut declarations = String::new();
    let mut sums = String::new();
    for local in 0..150 {
        let _ = writeln!(
            declarations,
            "        int i{local} = seed + {local}; long l{local} = i{local} * 3L;"
        );
        let _ = writeln!(sums, "        sum += i{local} ^ l{local};");
    }
    format!(
        "public class WideLocals {{
    static long spread(int seed) {{
{declarations}
        double d = seed;
        float f = 1.5f;
        String text = \"s\" + seed;
        long sum = 0;
        for (int index = 0; index < 40000; index += 1000) {{
            try {{
                if (index % 7000 == 0) continue;
                i149 += 5; i148 -= 200; i3 += 30000; i2++;
                d = d / 2 + index; f += d;
                sum += text.length();
            }} catch (RuntimeException e) {{
                sum += e.hashCode();
            }} finally {{
                i147++; l149 += i147;
            }}
        }}
{sums}
        return sum + (long) d + (long) f;
    }}

    public static void main(String[] args) {{
        System.out.println(spread(1) + \" \" + spread(-77));
    }}
}}
"
    )
}

/// A `tableswitch` and a `lookupswitch` with more than a thousand cases each, in a loop,
/// and a small switch inside a case, so that padding moves.
pub fn huge_switches() -> String {
    let mut dense = String::new();
    for case in 0..1200 {
        let _ = writeln!(dense, "            case {case}: sum += n; break;");
    }
    let mut sparse = String::new();
    for case in 0..1500i64 {
        // Spread over the whole range of int, negative keys first.
        let key = (case - 750) * 2_654_435 + 1;
        let _ = writeln!(sparse, "            case {key}: found = {case}; break;");
    }
    format!(
        "public class HugeSwitches {{
    static int dense(int rounds) {{
        int sum = 0;
        for (int n = -3; n < rounds; n += 11) {{
            switch (n) {{
{dense}
            default:
                switch (n) {{ case -3: sum += 100; continue; case 1251: sum++; }}
                sum -= 7;
            }}
            sum ^= n;
        }}
        return sum;
    }}

    static int sparse(int key) {{
        int found = -1;
        switch (key) {{
{sparse}
        }}
        return found;
    }}

    public static void main(String[] args) {{
        System.out.println(dense(2600));
        long sum = 0;
        for (int n = 0; n < 1500; n += 13) {{
            sum = sum * 31 + sparse((n - 750) * 2654435 + 1) + sparse(n);
        }}
        System.out.println(sum);
    }}
}}
"
    )
}

/// Two methods that are close to 65,535 bytes of code, one straight and one
/// inside a loop whose branches no longer fit 16 bits. Probes for every
/// statement do not fit any more, an entry probe does.
pub fn near_limit() -> String {
    let statement = |n: usize| format!("            r = r * 31 + {};\n", n % 5);
    let straight: String = (0..9_340).map(statement).collect();
    let looped: String = (0..9_300).map(statement).collect();
    format!(
        "public class NearLimit {{
    static int straight(int r) {{
{straight}
        return r;
    }}

    static int looped(int r, int rounds) {{
        for (int n = 0; n < rounds; n++) {{
            if (n % 2 == 0) {{
{looped}
            }}
            r += n;
        }}
        return r;
    }}

    public static void main(String[] args) {{
        System.out.println(straight(3) + \" \" + looped(4, 5));
    }}
}}
"
    )
}

/// Ten thousand calls in one method, more than fit with a probe each.
pub fn many_calls() -> String {
    let calls = "        one();\n".repeat(10_000);
    format!(
        "public class ManyCalls {{
    static int made;

    static void one() {{
        made++;
    }}

    static void all() {{
{calls}
    }}

    public static void main(String[] args) {{
        all();
        System.out.println(made);
    }}
}}
"
    )
}

/// Methods whose branches fit 16 bits before probes are added and do not fit
/// afterwards: every kind of conditional branch, `goto` both ways, `jsr` in
/// old targets, with values on the stack and locals that differ at the join.
pub fn growing_branches() -> String {
    // 2,400 calls take 7,200 bytes plain and more than 32,767 with probes.
    let body = "            one();\n".repeat(2_400);
    let conditions = [
        ("if_eq", "a == 0"),
        ("if_ne", "a != 0"),
        ("if_less", "a < 0"),
        ("if_not_less", "a >= 0"),
        ("if_more", "a > 0"),
        ("if_not_more", "a <= 0"),
        ("if_both", "a == b"),
        ("if_differ", "a != b"),
        ("if_below", "a < b"),
        ("if_not_below", "a >= b"),
        ("if_above", "a > b"),
        ("if_not_above", "a <= b"),
        ("if_same", "x == y"),
        ("if_other", "x != y"),
        ("if_null", "x == null"),
        ("if_present", "x != null"),
    ];
    let mut methods = String::new();
    let mut uses = String::new();
    for (name, condition) in conditions {
        let _ = write!(
            methods,
            "    static int {name}(int a, int b, Object x, Object y) {{
        int before = made;
        long wide = a * 5L;
        if ({condition}) {{
            String text = \"inside\";
{body}
            wide += text.length();
        }} else {{
            wide -= b;
        }}
        return made - before + (int) wide;
    }}

"
        );
        let _ = writeln!(
            uses,
            "            sum = sum * 31 + {name}(n, 1, n == 0 ? null : one, n == 1 ? one : two);"
        );
    }
    format!(
        "public class GrowingBranches {{
    static int made;

    static void one() {{
        made++;
    }}

{methods}
    static int loop(int rounds) {{
        int sum = 0;
        do {{
            sum += sum > 10 ? rounds : -rounds;
{body}
        }} while (--rounds > 0);
        return sum;
    }}

    static int guarded(int rounds) {{
        int sum = 0;
        for (int n = 0; n < rounds; n++) {{
            try {{
                if (n == 1) continue;
                if (n == 3) throw new IllegalStateException(\"three\");
{body}
            }} catch (IllegalStateException e) {{
                sum += 1000;
            }} finally {{
                sum += made;
            }}
        }}
        return sum;
    }}

    static int chosen(int n) {{
        int sum = 0;
        switch (n) {{
        case 0:
{body}
        case 1:
            sum++;
            break;
        default:
            sum--;
        }}
        return sum + n;
    }}

    public static void main(String[] args) {{
        Object one = \"one\", two = \"two\";
        long sum = 0;
        for (int n = -1; n < 2; n++) {{
{uses}
        }}
        System.out.println(sum + \" \" + made);
        System.out.println(loop(3) + \" \" + guarded(5) + \" \" + made);
        System.out.println(chosen(0) + \" \" + chosen(1) + \" \" + chosen(2) + \" \" + made);
    }}
}}
"
    )
}

/// Thirty nested `try`/`finally` blocks, each left by falling through, by
/// return and by an exception; in old targets a subroutine each.
pub fn deep_finally() -> String {
    const DEPTH: usize = 30;
    let mut opening = String::new();
    let mut closing = String::new();
    for level in 0..DEPTH {
        let _ = writeln!(
            opening,
            "        try {{ if (exit == {level}) return -{level}; if (exit == {level} + 100) throw new RuntimeException(\"{level}\"); trace += {level};"
        );
        let closed = DEPTH - 1 - level;
        let _ = writeln!(closing, "        }} finally {{ trace = trace * 3 + {closed}; }}");
    }
    format!(
        "public class DeepFinally {{
    static int trace;

    static int nested(int exit) {{
{opening}
        trace++;
{closing}
        return exit;
    }}

    public static void main(String[] args) {{
        for (int exit = 0; exit < 140; exit += 3) {{
            try {{
                System.out.println(nested(exit) + \" \" + trace);
            }} catch (RuntimeException e) {{
                System.out.println(e.getMessage() + \" \" + trace);
            }}
        }}
    }}
}}
"
    )
}

/// The class name and source text of every generated fixture.
pub fn all() -> [(&'static str, String); 6] {
    [
        ("WideLocals", wide_locals()),
        ("HugeSwitches", huge_switches()),
        ("NearLimit", near_limit()),
        ("ManyCalls", many_calls()),
        ("GrowingBranches", growing_branches()),
        ("DeepFinally", deep_finally()),
    ]
}
