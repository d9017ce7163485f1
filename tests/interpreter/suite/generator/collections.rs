//! Collections of the JDK. Their keys are numbers and strings, whose hash codes
//! are the same everywhere.

use super::{Generator, Role, Type, Variable};

impl Generator {
    pub(super) fn list(&mut self, depth: u32) -> String {
        let Some(less) = depth.checked_sub(1) else { return self.some(Type::List, "S.list") };
        match self.below(7) {
            0 | 1 => self.list(0),
            2 => "(new ArrayList<Object>())".to_owned(),
            3 => "(new LinkedList<Object>())".to_owned(),
            4 => format!("(new ArrayList<Object>({}))", self.list(less)),
            5 => format!("(new ArrayList<Object>({}.values()))", self.map(less)),
            _ => format!("listed(java.util.Arrays.asList({}))", self.objects(less)),
        }
    }

    pub(super) fn map(&mut self, depth: u32) -> String {
        let Some(less) = depth.checked_sub(1) else { return self.some(Type::Map, "S.map") };
        match self.below(5) {
            0 | 1 => self.map(0),
            2 => "(new HashMap<Object, Object>())".to_owned(),
            3 => "(new TreeMap<Object, Object>())".to_owned(),
            _ => format!("(new LinkedHashMap<Object, Object>({}))", self.map(less)),
        }
    }

    fn key(&mut self) -> String {
        if self.chance(70) {
            format!("((Object) ({} & 7))", self.int(1))
        } else {
            format!("(\"k\" + ({} & 3))", self.int(0))
        }
    }

    pub(super) fn int_of_collection(&mut self, depth: u32) -> String {
        match self.below(3) {
            0 => self.list(depth) + ".size()",
            1 => self.map(depth) + ".size()",
            _ => format!("{}.indexOf({})", self.list(0), self.object(depth)),
        }
    }

    /// What is in a collection.
    pub(super) fn element(&mut self, depth: u32) -> String {
        match self.below(6) {
            0 | 1 => format!("{}.get({})", self.list(depth), self.index(0)),
            2 => format!("{}.get({})", self.map(depth), self.key()),
            3 => format!("{}.put({}, {})", self.map(0), self.key(), self.object(depth)),
            4 => self.list(0) + ".iterator().next()",
            _ => {
                let scope = self.capture();
                let body = self.object(1);
                self.scope = scope;
                let (map, key) = (self.map(0), self.key());
                let name = self.new_name();
                format!("{map}.computeIfAbsent({key}, {name} -> --fuel < 0 ? null : {body})")
            }
        }
    }

    /// A statement that changes a collection.
    pub(super) fn collecting(&mut self) -> String {
        match self.below(8) {
            0 | 1 => format!("{}.add({});", self.list(0), self.object(2)),
            2 => format!("{}.add(0, {});", self.list(0), self.object(1)),
            3 => format!("{}.set({}, {});", self.list(0), self.index(0), self.object(2)),
            4 => format!("{}.remove((int) {});", self.list(0), self.index(0)),
            5 => format!("{}.put({}, {});", self.map(0), self.key(), self.object(2)),
            6 => format!("{}.remove({});", self.map(0), self.key()),
            _ => {
                let deque = self.new_name();
                let [first, last] = [self.object(1), self.object(1)];
                let target = self.instance(0);
                format!(
                    "ArrayDeque<Object> {deque} = new ArrayDeque<>({}); {deque}.addFirst({first}); \
                     {deque}.addLast({last}); {target}.p = {deque}.pollFirst();",
                    self.list(0)
                )
            }
        }
    }

    /// A loop over a collection.
    pub(super) fn loop_over(&mut self, inner: u32) {
        let scope = self.scope.clone();
        let name = self.new_name();
        let values = match self.below(4) {
            0 => self.map(0) + ".values()",
            1 => self.map(0) + ".keySet()",
            _ => self.list(1),
        };
        self.open(format!("for (Object {name} : {values}) {{"));
        self.line("if (--fuel < 0) break;");
        self.scope.push(Variable { name, kind: Type::Object, role: Role::Final });
        self.block(inner, 2);
        self.close("}");
        self.scope = scope;
    }
}
