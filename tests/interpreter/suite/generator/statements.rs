//! Statements.

use super::{Generator, Role, Type, Variable};

impl Generator {
    /// Statements with a scope of their own.
    pub(super) fn block(&mut self, nesting: u32, count: u32) {
        let scope = self.scope.clone();
        (0..count).for_each(|_| self.statement(nesting));
        self.scope = scope;
    }

    fn statement(&mut self, nesting: u32) {
        match nesting.checked_sub(1) {
            Some(inner) if self.chance(45) => self.compound(inner),
            _ => self.simple(),
        }
    }

    pub(super) fn simple(&mut self) {
        let text = match self.below(20) {
            0..3 => {
                let kind = self.kind();
                let role = if self.chance(30) { Role::Final } else { Role::Local };
                let value = self.expression(kind, 2);
                let name = self.new_name();
                self.scope.push(Variable { name: name.clone(), kind, role });
                format!("{} {name} = {value};", kind.name())
            }
            3 | 4 => {
                let kind = self.kind();
                match self.variable(kind, |variable| variable.role == Role::Local) {
                    Some(name) => format!("{name} = {};", self.expression(kind, 2)),
                    None => format!("A.si += {};", self.int(2)),
                }
            }
            5 => format!("{}.i = {};", self.instance(1), self.int(2)),
            6 => {
                let field = self.pick(&["o", "p"]);
                format!("{}.{field} = {};", self.instance(1), self.object(2))
            }
            7 => format!("{}.a = {};", self.instance(1), self.instance(2)),
            8 => {
                let operator = self.pick(&["=", "+=", "^="]);
                let array = self.some(Type::Ints, "A.sx");
                format!("{array}[{}] {operator} {};", self.index(1), self.int(2))
            }
            9 => {
                let array = self.some(Type::Objects, "A.sy");
                format!("{array}[{}] = {};", self.index(1), self.object(2))
            }
            10 | 11 => {
                let class = self.class();
                match self.below(6) {
                    0 => format!("{class}.si = {};", self.int(2)),
                    1 => format!("{class}.sl = {};", self.long(2)),
                    2 => format!("{class}.so = {};", self.object(2)),
                    3 => format!("{class}.sa = {};", self.instance(2)),
                    4 => format!("S.si = {};", self.int(2)),
                    _ => format!("{class}.sx = {};", self.ints(2)),
                }
            }
            12 => {
                let operator = self.pick(&["=", "+="]);
                format!("{}.l {operator} {};", self.instance(1), self.long(2))
            }
            13 => format!("{}.xs = {};", self.instance(1), self.ints(2)),
            14 => format!("{}.os = {};", self.instance(1), self.objects(2)),
            15 | 16 => self.collecting(),
            17 | 18 => self.telling(),
            _ => format!("sum = sum * 31 + {};", self.int(2)),
        };
        self.line(text);
    }

    fn compound(&mut self, inner: u32) {
        match self.below(14) {
            0 | 1 => {
                let condition = self.condition(1);
                self.open(format!("if ({condition}) {{"));
                self.block(inner, 2);
                if self.chance(50) {
                    self.close("} else {");
                    self.depth += 1;
                    self.block(inner, 2);
                }
                self.close("}");
            }
            2 | 3 => self.loop_of(inner),
            4 | 5 => self.try_of(inner),
            6 => self.switch_of(inner),
            7 => {
                let lock = self.pick(&["A.class", "LOCK"]);
                self.open(format!("synchronized ({lock}) {{"));
                // Nobody waits for a thread who holds a lock.
                self.line("held++;");
                self.open("try {");
                self.block(inner, 2);
                self.close("} finally { held--; }");
                self.close("}");
            }
            8 => {
                let [from, to] = if self.chance(50) {
                    [self.ints(2), self.ints(2)]
                } else {
                    [self.objects(2), self.objects(2)]
                };
                let [start, end, length] = [(); 3].map(|()| self.below(3));
                self.line(format!("System.arraycopy({from}, {start}, {to}, {end}, {length});"));
            }
            9 => {
                let scope = self.capture();
                let returns = self.returns.take();
                let how = self.pick(&["run", "XP.run", "Back.run", "privileged"]);
                let how = if how == "Back.run" { "if (--fuel > 0) Back.run" } else { how };
                self.open(format!("{how}(() -> {{"));
                self.simple();
                self.close("});");
                (self.scope, self.returns) = (scope, returns);
            }
            10 | 11 => self.thread(),
            12 => self.loop_over(inner),
            _ => {
                let fuel = self.below(40);
                let value = self.returns.map(|kind| self.expression(kind, 1));
                let value = value.map_or(String::new(), |value| format!(" {value}"));
                self.line(format!("if (fuel < {fuel}) return{value};"));
            }
        }
    }

    fn kind(&mut self) -> Type {
        Type::ALL[self.below(Type::ALL.len() as u64) as usize]
    }

    fn loop_of(&mut self, inner: u32) {
        let scope = self.scope.clone();
        let name = self.new_name();
        let end = 1 + self.below(4);
        self.open(format!("for (int {name} = 0; {name} < {end}; {name}++) {{"));
        self.scope.push(Variable { name, kind: Type::Int, role: Role::Counter });
        self.block(inner, 3);
        if self.chance(30) {
            let way = self.pick(&["break", "continue"]);
            let condition = self.condition(1);
            self.line(format!("if ({condition}) {way};"));
        }
        self.close("}");
        self.scope = scope;
    }

    fn try_of(&mut self, inner: u32) {
        self.open("try {");
        self.block(inner, 3);
        if self.chance(30) {
            let [condition, why] = [self.condition(1), self.object(2)];
            self.line(format!("if ({condition}) throw failed({why});"));
        }
        let name = self.new_name();
        let caught = self.pick(&["RuntimeException", "NullPointerException", "Failure"]);
        self.close(&format!("}} catch ({caught} {name}) {{"));
        self.depth += 1;
        self.block(inner, 2);
        if self.chance(40) {
            self.close("} finally {");
            self.depth += 1;
            self.block(inner, 1);
        }
        self.close("}");
    }

    fn switch_of(&mut self, inner: u32) {
        let chosen = self.int(2);
        self.open(format!("switch ({chosen} & 3) {{"));
        for case in ["case 0", "case 1", "case 2", "default"] {
            self.open(format!("{case}: {{"));
            self.block(inner, 1);
            self.close("}");
            if self.chance(70) {
                self.line("break;");
            }
        }
        self.close("}");
    }
}
