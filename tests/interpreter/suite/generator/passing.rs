//! Code without probes in between: classes that are left out, natives that call
//! back, reflection and handles. Much of it has the name and the descriptor of
//! what it calls. And threads.

use super::{Generator, Type, Variable};

/// Members of every program.
pub(super) const MEMBERS: &[&str] = &[
    "static Back back() { return S.sink instanceof Back back ? back : null; }",
    "static void privileged(Runnable what) {",
    "    if (--fuel < 0) return;",
    "    java.security.AccessController.doPrivileged(",
    "            (java.security.PrivilegedAction<Object>) () -> { what.run(); return null; });",
    "}",
    "static void thread(Runnable what) {",
    "    if (--fuel < 0) return;",
    "    if (held > 0) { what.run(); return; }",
    "    Thread started = new Thread(() -> {",
    "        try { what.run(); } catch (RuntimeException e) { sum++; }",
    "    }, \"thread \u{1d49c}\");",
    "    started.start();",
    "    await(started);",
    "}",
    "static void await(Thread started) {",
    "    try { started.join(); } catch (InterruptedException e) { sum++; }",
    "}",
    "static Object call(Method method, Object on, Object... with) {",
    "    if (--fuel < 0) return null;",
    "    try { return method.invoke(on, with); }",
    "    catch (InvocationTargetException e) { throw new Failure(null); }",
    "    catch (IllegalAccessException e) { return null; }",
    "}",
    "static A make(Constructor<?> constructor, Object... with) {",
    "    if (--fuel < 0) return null;",
    "    try { return (A) constructor.newInstance(with); }",
    "    catch (ReflectiveOperationException e) { throw new Failure(null); }",
    "}",
    "static Object load(Field field, Object from) {",
    "    try { return field.get(from); } catch (IllegalAccessException e) { return null; }",
    "}",
    "static void store(Field field, Object to, Object o) {",
    "    try { field.set(to, o); } catch (IllegalAccessException e) { sum++; }",
    "}",
    "static int handle(A on, int q, Object r) {",
    "    if (--fuel < 0) return 0;",
    "    try { return (int) XR.HM.invokeExact(on, q, r); }",
    "    catch (RuntimeException e) { throw e; } catch (Throwable e) { return 1; }",
    "}",
    "static A step(A on) {",
    "    if (--fuel < 0) return null;",
    "    try { return (A) XR.HN.invokeExact(on); }",
    "    catch (RuntimeException e) { throw e; } catch (Throwable e) { return null; }",
    "}",
    "static class XR {",
    "    static int START = 1;",
    "    static final Method M = Reflected.method(A.class, \"m\");",
    "    static final Method N = Reflected.method(A.class, \"next\");",
    "    static final Constructor<?> NEW = Reflected.constructor(B.class);",
    "    static final Field FO = Reflected.field(A.class, \"o\");",
    "    static final Field FI = Reflected.field(A.class, \"i\");",
    "    static final MethodHandle HM = Reflected.handle(A.class, \"m\");",
    "    static final MethodHandle HN = Reflected.handle(A.class, \"next\");",
    "    static final VarHandle VI = Reflected.variable(A.class, \"i\");",
    "    static final VarHandle VL = Reflected.variable(A.class, \"l\");",
    "    static final VarHandle VO = Reflected.variable(A.class, \"o\");",
    "    static final VarHandle VA = Reflected.variable(A.class, \"a\");",
    "    static final VarHandle VSO = Reflected.variable(A.class, \"so\");",
    "    static final VarHandle VE = Reflected.elements(Object[].class);",
    "    static Object call(Method method, Object on, Object... with) {",
    "        if (--fuel < 0) return null;",
    "        try { return method.invoke(on, with); }",
    "        catch (InvocationTargetException e) { throw new Failure(null); }",
    "        catch (IllegalAccessException e) { return null; }",
    "    }",
    "    static int handle(A on, int q, Object r) {",
    "        if (--fuel < 0) return 0;",
    "        try { return (int) HM.invokeExact(on, q, r); }",
    "        catch (RuntimeException e) { throw e; } catch (Throwable e) { return 1; }",
    "    }",
    "}",
    // Passes something else on, and returns something else.
    "static class XP implements Sink {",
    "    final Sink in; Object other; static Object last;",
    "    XP(Sink in, Object other) { this.in = in; this.other = other; }",
    "    public Object pass(Object o) { last = in.pass(other); return other; }",
    "    static Object get(java.util.function.Supplier<Object> from) {",
    "        return --fuel < 0 ? null : from.get();",
    "    }",
    "    static void run(Runnable what) { if (--fuel >= 0) what.run(); }",
    "}",
    // Returns what comes back.
    "static class XB implements Sink {",
    "    final Sink in; Object other;",
    "    XB(Sink in, Object other) { this.in = in; this.other = other; }",
    "    public Object pass(Object o) { return in.pass(other); }",
    "}",
    // Passes its own argument on.
    "static class XT extends XB {",
    "    XT(Sink in, Object other) { super(in, other); }",
    "    public Object pass(Object o) { other = o; return in.pass(o); }",
    "}",
];

impl Generator {
    /// The class `P`, a sink that is followed, and a thread.
    pub(super) fn sinks(&mut self) {
        self.open("static class P implements Sink {");
        self.line("Object kept;");
        self.line("P(Object kept) { this.kept = kept; }");
        let parameters = [Variable::parameter("o", Type::Object)];
        self.lines.push("        public".to_owned());
        self.method("pass", Type::Object, &parameters, 2);
        self.close("}");
        // What it gives to its superclass throws now and then.
        self.open("static class W extends P {");
        self.open("W(Object q) {");
        self.line("super(picky(q));");
        self.line("if (--fuel < 0) return;");
        self.scope = vec![Variable::parameter("q", Type::Object)];
        self.returns = None;
        self.block(1, 2);
        self.close("}");
        self.close("}");
        self.open("static class Q extends P {");
        self.line("Q(Object kept) { super(kept); }");
        self.line("public Object pass(Object o) { Object was = kept; kept = o; return was; }");
        self.close("}");
        let parameters = [Variable::parameter("in", Type::Object)];
        self.lines.push("    static".to_owned());
        self.method("job", Type::Object, &parameters, 2);
        self.open("static class T extends Thread {");
        self.line("Object in, out;");
        self.line("T(Object in) { this.in = in; }");
        self.line("public void run() {");
        self.line("    try { out = job(in); } catch (RuntimeException e) { sum++; }");
        self.line("}");
        self.open("static Object through(Object o) {");
        self.line("if (--fuel < 0 || held > 0) return o;");
        self.line("T started = new T(o);");
        self.line("started.start();");
        self.line("await(started);");
        self.line("return started.out;");
        self.close("}");
        self.close("}");
    }

    fn sink(&mut self, depth: u32) -> String {
        let Some(less) = depth.checked_sub(1) else {
            return match self.below(5) {
                0 => format!("new P({})", self.object(0)),
                1 => format!("new Q({})", self.object(0)),
                2 => format!("new W({})", self.object(0)),
                3 => format!("new Back.Making({})", self.made()),
                _ => "S.sink".to_owned(),
            };
        };
        match self.below(8) {
            0 => self.sink(0),
            1 => {
                let scope = self.capture();
                let name = self.new_name();
                self.scope.push(Variable::parameter(&name, Type::Object));
                let body = self.object(1);
                self.scope = scope;
                format!("(Sink) {name} -> --fuel < 0 ? null : {body}")
            }
            _ => {
                let class = self.pick(&["XP", "XP", "XB", "XT", "Back", "Back.Swap", "Back.make"]);
                let how = if class == "Back.make" { "" } else { "new " };
                format!("{how}{class}({}, {})", self.sink(less), self.object(0))
            }
        }
    }

    /// A class whose objects native code makes.
    fn made(&mut self) -> String {
        self.pick(&["P", "Q", "W", "W"]).to_owned() + ".class"
    }

    /// An object that has gone through code without probes, or has met some.
    pub(super) fn passed(&mut self, depth: u32) -> String {
        match self.below(9) {
            0 => {
                let how = self.pick(&["call", "callHere"]);
                format!("Back.{how}({}, {})", self.sink(1), self.object(depth))
            }
            7 => format!("Back.attempt({}, {})", self.made(), self.object(depth)),
            8 => {
                let [first, otherwise] = [self.sink(2), self.sink(1)];
                format!("Back.attempt({first}, {otherwise}, {})", self.object(depth))
            }
            1 => {
                let scope = self.capture();
                let body = self.object(1);
                self.scope = scope;
                format!("T.through(get(() -> {body}))")
            }
            2 => "XP.last".to_owned(),
            3 => "Back.get(back())".to_owned(),
            _ => format!("({}).pass({})", self.sink(2), self.object(depth)),
        }
    }

    pub(super) fn int_by_handle(&mut self, depth: u32) -> String {
        let [on, q] = [self.instance(depth), self.int(depth)];
        match self.below(8) {
            0 | 1 => {
                let class = self.pick(&["", "XR."]);
                format!("num({class}call(XR.M, {on}, {q}, {}))", self.object(depth))
            }
            2 | 3 => {
                let class = self.pick(&["", "XR."]);
                format!("{class}handle({on}, {q}, {})", self.object(depth))
            }
            4 => format!("((int) XR.VI.get({on}))"),
            5 => format!("((int) XR.VI.getAndAdd({on}, {q}))"),
            6 => format!("(XR.VI.compareAndSet({on}, {q}, {}) ? 1 : 2)", self.int(0)),
            _ => format!("num(load(XR.FI, {on}))"),
        }
    }

    pub(super) fn instance_by_handle(&mut self, depth: u32) -> String {
        match self.below(4) {
            0 => format!("make(XR.NEW, {})", self.int(depth)),
            1 => format!("as({}call(XR.N, {}))", self.pick(&["", "XR."]), self.instance(depth)),
            2 => format!("step({})", self.instance(depth)),
            _ => format!("((A) XR.VA.getAcquire({}))", self.instance(depth)),
        }
    }

    pub(super) fn object_by_handle(&mut self, depth: u32) -> String {
        match self.below(6) {
            0 => format!("((Object) XR.VO.get({}))", self.instance(depth)),
            1 => {
                format!("((Object) XR.VO.getAndSet({}, {}))", self.instance(0), self.object(depth))
            }
            2 => "((Object) XR.VSO.getVolatile())".to_owned(),
            3 => format!("((Object) XR.VE.get({}, {}))", self.objects(depth), self.index(0)),
            _ => format!("load(XR.FO, {})", self.instance(depth)),
        }
    }

    /// A statement that has somebody else store.
    pub(super) fn telling(&mut self) -> String {
        let object = self.object(2);
        match self.below(9) {
            0 => format!("XR.VO.set({}, {object});", self.instance(1)),
            1 => format!("XR.VI.setVolatile({}, {});", self.instance(1), self.int(2)),
            2 => format!("XR.VE.set({}, {}, {object});", self.objects(1), self.index(0)),
            3 => format!("XR.VSO.set({object});"),
            4 => format!("store(XR.FO, {}, {object});", self.instance(1)),
            5 => format!("store(XR.FI, {}, {});", self.instance(1), self.int(1)),
            6 => format!("Back.set(back(), {object});"),
            7 => format!("Back.setElement({}, {}, {object});", self.objects(1), self.index(0)),
            _ => format!("S.sink = {};", self.sink(2)),
        }
    }

    /// Something that another thread does.
    pub(super) fn thread(&mut self) {
        let scope = self.capture();
        let returns = self.returns.take();
        self.open("thread(() -> {");
        self.simple();
        self.close("});");
        (self.scope, self.returns) = (scope, returns);
    }
}
