//! Random programs: objects, arrays and static fields that refer to each other,
//! calls, lambda expressions, clones, collections, threads, and exceptions out of
//! everything; and code without probes in between. Names may lie beyond the BMP.
//!
//! `A`, `B`, `C` and `X` extend each other; code names what they inherit by any of
//! them. Entering a method costs fuel, and without fuel everything returns, so
//! that every program ends. Classes whose names begin with `X` are those that the
//! options leave out ([`LEFT_OUT`]).

mod collections;
mod expressions;
mod names;
mod passing;
mod statements;

use support::random::Random;

/// Types of variables, and what expressions are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Int,
    Long,
    A,
    Object,
    Ints,
    Objects,
    List,
    Map,
}

impl Type {
    const ALL: [Self; 8] = [
        Self::Int,
        Self::Long,
        Self::A,
        Self::Object,
        Self::Ints,
        Self::Objects,
        Self::List,
        Self::Map,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::Long => "long",
            Self::A => "A",
            Self::Object => "Object",
            Self::Ints => "int[]",
            Self::Objects => "Object[]",
            Self::List => "List<Object>",
            Self::Map => "Map<Object, Object>",
        }
    }

    fn zero(self) -> &'static str {
        if matches!(self, Self::Int | Self::Long) { "0" } else { "null" }
    }
}

/// How a variable may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Like any.
    Local,
    /// Nobody changes it, so lambda expressions may capture it.
    Final,
    /// Only the loop changes it.
    Counter,
}

#[derive(Debug, Clone)]
struct Variable {
    name: String,
    kind: Type,
    role: Role,
}

impl Variable {
    fn parameter(name: &str, kind: Type) -> Self {
        Self { name: name.to_owned(), kind, role: Role::Final }
    }
}

/// Writes one program.
struct Generator {
    random: Random,
    /// What code may name where it is being written.
    scope: Vec<Variable>,
    /// What the method returns.
    returns: Option<Type>,
    names: u32,
    lines: Vec<String>,
    depth: usize,
    /// Lines that make the next method large.
    padding: u64,
}

/// Classes that are not followed: the value of the option `exclude`.
pub const LEFT_OUT: &str = "R*$X*;Reflected";

const CLASSES: [&str; 4] = ["A", "B", "C", "X"];
/// Static methods beside `main`; the last one may be large.
const METHODS: u64 = 4;
/// How deep statements lie in each other.
const NESTING: u32 = 2;

/// The source of the program of a seed: the class `R` with the seed behind it.
pub fn program(seed: u64) -> String {
    let mut generator = Generator {
        random: Random(seed),
        scope: Vec::new(),
        returns: None,
        names: 0,
        lines: Vec::new(),
        depth: 0,
        padding: 0,
    };
    generator.write(seed);
    generator.rename();
    generator.lines.join("\n") + "\n"
}

impl Generator {
    fn below(&mut self, end: u64) -> u64 {
        self.random.below(end)
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        let at = self.below(from.len() as u64);
        from[at as usize]
    }

    fn class(&mut self) -> &'static str {
        self.pick(&CLASSES)
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let line = format!("{}{}", "    ".repeat(self.depth), text.as_ref());
        self.lines.push(line);
    }

    fn open(&mut self, text: impl AsRef<str>) {
        self.line(text);
        self.depth += 1;
    }

    fn close(&mut self, text: &str) {
        self.depth -= 1;
        self.line(text);
    }

    fn new_name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn variable(&mut self, kind: Type, is_wanted: impl Fn(&Variable) -> bool) -> Option<String> {
        let known: Vec<String> = self
            .scope
            .iter()
            .filter(|variable| variable.kind == kind && is_wanted(variable))
            .map(|variable| variable.name.clone())
            .collect();
        let at = self.below(known.len().max(1) as u64) as usize;
        known.get(at).cloned()
    }

    fn some(&mut self, kind: Type, otherwise: &str) -> String {
        self.variable(kind, |_| true).unwrap_or_else(|| otherwise.to_owned())
    }

    fn method(&mut self, head: &str, returns: Type, parameters: &[Variable], count: u32) {
        let declared: Vec<String> = parameters
            .iter()
            .filter(|parameter| parameter.name != "this")
            .map(|parameter| format!("{} {}", parameter.kind.name(), parameter.name))
            .collect();
        self.open(format!("{} {head}({}) {{", returns.name(), declared.join(", ")));
        self.line(format!("if (--fuel < 0) return {};", returns.zero()));
        self.pad();
        self.scope = parameters.to_vec();
        self.returns = Some(returns);
        self.block(NESTING, count);
        let result = self.expression(returns, 1);
        self.line(format!("return {result};"));
        self.close("}");
    }

    /// Code that is never executed, so that the method is large.
    fn pad(&mut self) {
        let lines = std::mem::take(&mut self.padding);
        if lines > 0 {
            self.open("if (fuel > 1000000) {");
            for _ in 0..lines {
                self.line("A.sa.o = A.sa.p;");
            }
            self.close("}");
        }
    }

    fn class_of(&mut self, name: &str, head: &str, superclass: bool) {
        self.open(format!("static class {head} {{"));
        if !superclass {
            self.line("int i; long l; Object o; Object p; A a; int[] xs; Object[] os;");
            self.line("static int si = 3; static long sl = 4; static Object so = \"s\";");
            self.line("static A sa = new A(2); static int[] sx = {1, 2, 3, 4};");
            self.line("static Object[] sy = new Object[4];");
        } else if self.chance(30) {
            // It hides the inherited one.
            self.line("static long sl = 9;");
        }
        if superclass {
            // For constructors: another object of this class, or of one above or below
            // it, comes first. What throws leaves an object that is none yet.
            let first = self.pick(&["B", "C", "X", "X"]);
            self.open("static int before(int q) {");
            let made = format!("return --fuel < 0 ? q : new {first}(q + 1).i;");
            if self.chance(50) {
                self.line(format!("try {{ {made} }}"));
                self.line("catch (RuntimeException e) { return q; }");
            } else {
                self.line(made);
            }
            self.close("}");
        }
        let this = Variable::parameter("this", Type::A);
        self.open(format!("{name}(int q) {{"));
        if !superclass {
            self.line("i = q;");
        } else if self.chance(60) {
            self.line("super(q + 1);");
        } else {
            self.line("super(before(q));");
        }
        self.line("if (--fuel < 0) return;");
        if !superclass {
            self.line("xs = new int[4]; os = new Object[4];");
        }
        self.scope = vec![Variable::parameter("q", Type::Int), this.clone()];
        self.returns = None;
        self.block(1, 2);
        self.close("}");
        let parameter = Variable::parameter;
        if !superclass || self.chance(70) {
            let parameters =
                [parameter("q", Type::Int), parameter("r", Type::Object), this.clone()];
            self.method("m", Type::Int, &parameters, 4);
        }
        if !superclass || self.chance(50) {
            let parameters = [parameter("q", Type::Long), parameter("r", Type::Int), this.clone()];
            self.method("wide", Type::Long, &parameters, 3);
        }
        if !superclass || self.chance(50) {
            self.method("next", Type::A, &[this], 2);
        }
        if !superclass {
            let clone = self.pick(&["clone()", "super.clone()"]);
            self.open("A copy() {");
            self.line(format!("try {{ return --fuel < 0 ? this : (A) {clone}; }}"));
            self.line("catch (CloneNotSupportedException e) { return null; }");
            self.close("}");
        }
        self.close("}");
    }

    fn write(&mut self, seed: u64) {
        self.line("import java.lang.invoke.*;");
        self.line("import java.lang.reflect.*;");
        self.line("import java.util.*;");
        self.open(format!("class R{seed} {{"));
        for line in [
            "static int fuel, sum, held;",
            "static final Object LOCK = new Object();",
            "static int num(Object o) {",
            "    return o instanceof Integer i ? i : o instanceof A a ? a.i : 7;",
            "}",
            "static A as(Object o) { return o instanceof A a ? a : A.sa; }",
            "static Object get(java.util.function.Supplier<Object> from) {",
            "    return --fuel < 0 ? null : from.get();",
            "}",
            "static void run(Runnable what) { if (--fuel >= 0) what.run(); }",
            "static Failure failed(Object why) { return new Failure(why); }",
            "static Object picky(Object o) {",
            "    if (o instanceof Integer) throw failed(o);",
            "    return o;",
            "}",
            "static List<Object> listed(Collection<Object> from) {",
            "    return new ArrayList<Object>(from);",
            "}",
            "static class Failure extends RuntimeException {",
            "    final Object why;",
            "    Failure(Object why) { this.why = why; }",
            "}",
            "interface I { int LIMIT = Integer.parseInt(\"5\"); Object KEY = new Object(); }",
            "static class S {",
            "    static int si; static Object so; static Sink sink = new P(null);",
            "    static List<Object> list = new ArrayList<>();",
            "    static Map<Object, Object> map = new HashMap<>();",
            "}",
        ]
        .iter()
        .chain(passing::MEMBERS)
        {
            self.line(line);
        }
        self.class_of("A", "A implements Cloneable", false);
        self.class_of("B", "B extends A implements I", true);
        self.class_of("C", "C extends B", true);
        self.class_of("X", "X extends C", true);
        self.sinks();
        let parameters = [Variable::parameter("q", Type::Int), Variable::parameter("r", Type::A)];
        for number in 0..METHODS {
            self.lines.push("    static".to_owned());
            self.padding =
                if number == METHODS - 1 && self.chance(25) { 1500 + self.below(3700) } else { 0 };
            self.method(&format!("s{number}"), Type::Int, &parameters, 6);
        }
        // Namesakes that are not followed.
        self.open("static class XS {");
        self.line("static int START = 1;");
        for number in 0..METHODS {
            self.lines.push("        static".to_owned());
            self.method(&format!("s{number}"), Type::Int, &parameters, 2);
        }
        self.close("}");
        self.open("public static void main(String[] args) {");
        // Classes are initialised without fuel, so that nothing fails then.
        self.line("sum = new B(1).i + new C(2).i + new X(3).i + XS.START + XR.START;");
        self.line("S.sink = new Back(S.sink, null);");
        for _ in 0..4 {
            let (fuel, method) = (30 + self.below(170), self.below(METHODS));
            let object = self.pick(&["null", "new B(1)", "new C(2)", "A.sa"]);
            self.line(format!("fuel = {fuel};"));
            self.line(format!("try {{ sum = sum * 31 + s{method}({fuel}, {object}); }}"));
            self.line("catch (RuntimeException e) {");
            self.line("    fuel = 0;");
            self.line("    sum = sum * 31 + e.getClass().getName().length();");
            self.line("}");
        }
        self.line("System.out.println(sum);");
        self.close("}");
        self.close("}");
    }
}
