//! Expressions, each of them an operand of others: what has two operands is in
//! parentheses.

use super::{Generator, METHODS, Role, Type, Variable};

impl Generator {
    pub(super) fn expression(&mut self, kind: Type, depth: u32) -> String {
        match kind {
            Type::Int => self.int(depth),
            Type::Long => self.long(depth),
            Type::A => self.instance(depth),
            Type::Object => self.object(depth),
            Type::Ints => self.ints(depth),
            Type::Objects => self.objects(depth),
            Type::List => self.list(depth),
            Type::Map => self.map(depth),
        }
    }

    pub(super) fn int(&mut self, depth: u32) -> String {
        let Some(less) = depth.checked_sub(1) else {
            return match self.below(4) {
                0 => (self.below(12) as i64 - 3).to_string(),
                1 => self.pick(&["A", "B", "C", "S"]).to_owned() + ".si",
                2 => self.instance(0) + ".i",
                _ => self.some(Type::Int, "1"),
            };
        };
        match self.below(22) {
            0 | 1 => self.int(0),
            2 => self.pick(&["B.LIMIT", "C.LIMIT", "I.LIMIT"]).to_owned(),
            3..=5 => {
                let operator = self.pick(&["+", "-", "*", "^", "&"]);
                format!("({} {operator} {})", self.int(less), self.int(less))
            }
            6 => {
                let operator = self.pick(&["/", "%"]);
                format!("({} {operator} {})", self.int(less), self.int(less))
            }
            7 => format!("(int) ({})", self.long(less)),
            8 => format!("{}[{}]", self.ints(less), self.index(less)),
            9 if self.chance(50) => self.ints(less) + ".length",
            9 => self.objects(less) + ".length",
            10 => format!("({} ? {} : {})", self.condition(less), self.int(less), self.int(less)),
            11 => format!("{}.m({}, {})", self.instance(less), self.int(less), self.object(less)),
            12 => {
                let method = self.below(METHODS);
                let class = self.pick(&["", "", "XS."]);
                format!("{class}s{method}({}, {})", self.int(less), self.instance(less))
            }
            13 => format!("num({})", self.object(less)),
            14 => {
                let operator = self.pick(&["+=", "-=", "="]);
                format!("({}.i {operator} {})", self.instance(less), self.int(less))
            }
            15 => format!("Integer.valueOf({})", self.int(less)),
            16 => format!("{}[{}]++", self.ints(less), self.index(less)),
            17 => self.int_of_collection(less),
            _ => self.int_by_handle(less),
        }
    }

    pub(super) fn index(&mut self, depth: u32) -> String {
        match self.below(5) {
            constant @ 0..3 => constant.to_string(),
            _ => format!("({} & 3)", self.int(depth)),
        }
    }

    pub(super) fn long(&mut self, depth: u32) -> String {
        let Some(less) = depth.checked_sub(1) else {
            return match self.below(3) {
                0 => format!("{}L", self.below(9)),
                1 => self.class().to_owned() + ".sl",
                _ => self.some(Type::Long, "3L"),
            };
        };
        match self.below(7) {
            0 | 1 => self.long(0),
            6 => format!("((long) XR.VL.get({}))", self.instance(less)),
            2 => self.instance(less) + ".l",
            3 => {
                let operator = self.pick(&["+", "*", "-"]);
                format!("({} {operator} {})", self.long(less), self.int(less))
            }
            4 => format!("(long) ({})", self.int(less)),
            _ => format!("{}.wide({}, {})", self.instance(less), self.long(less), self.int(less)),
        }
    }

    pub(super) fn condition(&mut self, depth: u32) -> String {
        match self.below(6) {
            0..3 => {
                let operator = self.pick(&["<", "==", ">=", "!="]);
                format!("{} {operator} {}", self.int(depth), self.int(depth))
            }
            3 => {
                let other = if self.chance(50) { "null".to_owned() } else { self.object(depth) };
                format!("((Object) {}) == {other}", self.object(depth))
            }
            4 => {
                let class = self.class();
                format!("((Object) {}) instanceof {class}", self.object(depth))
            }
            _ => format!("{} > {}", self.long(depth), self.long(depth)),
        }
    }

    pub(super) fn instance(&mut self, depth: u32) -> String {
        let Some(less) = depth.checked_sub(1) else {
            return match self.below(3) {
                0 => self.class().to_owned() + ".sa",
                _ => self.some(Type::A, "(new A(1))"),
            };
        };
        match self.below(11) {
            0 | 1 => self.instance(0),
            9 | 10 => self.instance_by_handle(less),
            2 => {
                let class = self.class();
                // An argument that throws leaves an object that is not initialised.
                let argument =
                    if self.chance(50) { self.some(Type::Int, "1") } else { self.int(less) };
                format!("(new {class}({argument}))")
            }
            3 => self.instance(less) + ".a",
            4 => {
                let condition = self.condition(less);
                format!("({condition} ? {} : {})", self.instance(less), self.instance(less))
            }
            5 => self.instance(less) + ".next()",
            6 => format!("((A) (Object) {})", self.object(less)),
            7 => format!("as({})", self.object(less)),
            _ => self.instance(less) + ".copy()",
        }
    }

    pub(super) fn object(&mut self, depth: u32) -> String {
        let Some(less) = depth.checked_sub(1) else {
            return match self.below(5) {
                0 => "null".to_owned(),
                1 => self.pick(&["A.so", "B.so", "C.KEY", "I.KEY", "S.so"]).to_owned(),
                2 => self.instance(0),
                _ => self.some(Type::Object, "\"x\""),
            };
        };
        match self.below(19) {
            0 | 1 => self.object(0),
            11..14 => self.passed(less),
            14 | 15 => self.element(less),
            16 | 17 => self.object_by_handle(less),
            2 => self.instance(less) + ".o",
            3 => format!("{}[{}]", self.objects(less), self.index(less)),
            4 => format!("((Object) ({}))", self.int(less)),
            5 => format!("(\"c\" + {})", self.int(less)),
            6 => self.ints(less),
            7 => self.objects(less),
            8 => {
                let scope = self.capture();
                let body = self.object(1);
                self.scope = scope;
                let how = self.pick(&["get", "get", "XP.get"]);
                format!("{how}(() -> {body})")
            }
            _ => self.instance(less),
        }
    }

    /// Leaves what lambda expressions may name in scope; returns what was there.
    pub(super) fn capture(&mut self) -> Vec<Variable> {
        let scope = self.scope.clone();
        self.scope.retain(|variable| variable.role == Role::Final);
        scope
    }

    pub(super) fn ints(&mut self, depth: u32) -> String {
        let Some(less) = depth.checked_sub(1) else { return self.some(Type::Ints, "A.sx") };
        match self.below(7) {
            0 | 1 => self.ints(0),
            2 => "(new int[4])".to_owned(),
            3 => {
                let [one, two] = [self.int(less), self.int(less)];
                format!("(new int[] {{{one}, {two}, 3, {}}})", self.int(less))
            }
            4 => self.instance(less) + ".xs",
            5 => self.ints(0) + ".clone()",
            _ => self.class().to_owned() + ".sx",
        }
    }

    pub(super) fn objects(&mut self, depth: u32) -> String {
        let Some(less) = depth.checked_sub(1) else {
            return self.some(Type::Objects, "(new Object[4])");
        };
        match self.below(8) {
            0 | 1 => self.objects(0),
            6 => self.list(less) + ".toArray()",
            7 => {
                let scope = self.capture();
                let name = self.new_name();
                self.scope.push(Variable::parameter(&name, Type::Object));
                let body = self.object(1);
                self.scope = scope;
                format!(
                    "{}.stream().map({name} -> --fuel < 0 ? null : {body}).toArray()",
                    self.list(0)
                )
            }
            2 => "(new Object[4])".to_owned(),
            3 => {
                let [one, two] = [self.object(less), self.object(less)];
                format!("(new Object[] {{{one}, {two}, null, {}}})", self.object(less))
            }
            4 => self.instance(less) + ".os",
            _ => self.objects(0) + ".clone()",
        }
    }
}
