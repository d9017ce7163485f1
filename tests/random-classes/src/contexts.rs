//! Counts by calling context, generated methods only.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use asm_witness::counts::{Count, Method};
use profile::{NO_PARENT, Profile};

/// A tree of calling contexts.
#[derive(Debug)]
pub struct Contexts {
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    count: Count,
    callees: BTreeMap<Method, usize>,
}

/// The node that stands for the callers of all programs.
const ROOT: usize = 0;

impl Contexts {
    fn empty() -> Self {
        Self { nodes: vec![Node::default()] }
    }

    /// The context of a method called in context `caller`.
    fn callee(&mut self, caller: usize, method: Method) -> usize {
        let new = self.nodes.len();
        let callee = *self.nodes[caller].callees.entry(method).or_insert(new);
        if callee == new {
            self.nodes.push(Node::default());
        }
        callee
    }

    fn add(&mut self, context: usize, count: Count) {
        self.nodes[context].count.calls += count.calls;
        self.nodes[context].count.bytecodes += count.bytecodes;
    }

    /// How many contexts there are.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// True if nothing was executed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All contexts together.
    pub fn sum(&self) -> Count {
        let mut sum = Count::default();
        for node in &self.nodes {
            sum.calls += node.count.calls;
            sum.bytecodes += node.count.bytecodes;
        }
        sum
    }

    /// Reads what the rewritten programs wrote, without methods of which
    /// `is_plain` is true: what these call hangs below their callers.
    ///
    /// # Panics
    /// If the file is missing or has another form.
    pub fn of_witness(file: &Path, is_plain: impl Fn(&Method) -> bool) -> Self {
        let text = fs::read_to_string(file).expect("rewritten programs write their counts");
        let mut contexts = Self::empty();
        let mut places = vec![ROOT];
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let &[caller, class, name, descriptor, calls, bytecodes] = fields.as_slice() else {
                panic!("{}: {line}", file.display());
            };
            let number = |text: &str| text.parse::<u64>().expect("counts are numbers");
            let method = Method::new(class, name, descriptor);
            let mut place = places[number(caller) as usize];
            if !is_plain(&method) {
                place = contexts.callee(place, method);
                let count = Count { calls: number(calls), bytecodes: number(bytecodes) };
                contexts.add(place, count);
            }
            places.push(place);
        }
        contexts
    }

    /// The contexts of generated methods in a profile; frames of other methods
    /// between them are left out.
    ///
    /// # Panics
    /// If the profile has no calls and bytecodes.
    pub fn of_profile(profile: &Profile) -> Self {
        let values = |name| &profile.nodes.metric(name).expect("a recording has it").values;
        let (calls, bytecodes) = (values("calls"), values("bytecodes"));
        let mut contexts = Self::empty();
        let mut places: Vec<usize> = Vec::with_capacity(profile.nodes.len());
        for (node, &parent) in profile.nodes.parent.iter().enumerate() {
            let caller = if parent == NO_PARENT { ROOT } else { places[parent as usize] };
            let method = &profile.methods[profile.nodes.method[node] as usize];
            let class = &profile.classes[method.class.0 as usize].name;
            if !is_generated(class) {
                places.push(caller);
                continue;
            }
            let method = Method::new(class, &method.name, &method.descriptor);
            let place = contexts.callee(caller, method);
            contexts.add(place, Count { calls: calls[node], bytecodes: bytecodes[node] });
            places.push(place);
        }
        contexts
    }

    /// Describes the first difference in each program, as the path to it with
    /// the counts of both sides, `self` being the witness.
    pub fn differences(&self, recorded: &Self) -> Vec<String> {
        let roots = |contexts: &Self| contexts.nodes[ROOT].callees.clone();
        let (left, right) = (roots(self), roots(recorded));
        let mut methods: Vec<&Method> = left.keys().chain(right.keys()).collect();
        methods.sort();
        methods.dedup();
        let first = |method: &&Method| {
            let ends = (left.get(method).copied(), right.get(method).copied());
            self.difference(ends.0, recorded, ends.1, &mut vec![(*method).clone()])
        };
        methods.iter().filter_map(first).collect()
    }

    /// The first difference in a subtree; `path` leads to it and is left as it
    /// was found.
    fn difference(
        &self,
        here: Option<usize>,
        recorded: &Self,
        there: Option<usize>,
        path: &mut Vec<Method>,
    ) -> Option<String> {
        let of = |contexts: &Self, place: Option<usize>| {
            place.map(|place| contexts.nodes[place].count).unwrap_or_default()
        };
        let (left, right) = (of(self, here), of(recorded, there));
        if left != right {
            let path: Vec<String> = path.iter().map(Method::to_string).collect();
            return Some(format!("{left:?}, recorded {right:?}\n  {}", path.join("\n  ")));
        }
        let callees = |contexts: &Self, place: Option<usize>| {
            place.map(|place| contexts.nodes[place].callees.clone()).unwrap_or_default()
        };
        let (left, right) = (callees(self, here), callees(recorded, there));
        let mut methods: Vec<&Method> = left.keys().chain(right.keys()).collect();
        methods.sort();
        methods.dedup();
        for method in methods {
            path.push(method.clone());
            let ends = (left.get(method).copied(), right.get(method).copied());
            let found = self.difference(ends.0, recorded, ends.1, path);
            path.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

/// True for classes of generated programs, and not for those that the JDK
/// makes for their lambdas.
pub fn is_generated(class: &str) -> bool {
    class
        .strip_prefix("generated.s")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        && !class.contains("$$Lambda")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(calls: [u64; 2]) -> Contexts {
        let mut tree = Contexts::empty();
        let main = tree.callee(ROOT, Method::new("generated.s1.Main", "start", "(I)I"));
        tree.add(main, Count { calls: calls[0], bytecodes: 10 });
        let callee = tree.callee(main, Method::new("generated.s1.A", "s", "(IJ)I"));
        tree.add(callee, Count { calls: calls[1], bytecodes: 20 });
        tree
    }

    #[test]
    fn a_difference_is_told_with_its_path() {
        let expected = tree([1, 2]);
        assert!(expected.differences(&tree([1, 2])).is_empty());
        let found = expected.differences(&tree([1, 3])).join("");
        assert!(found.contains("calls: 2") && found.contains("calls: 3"), "{found}");
        assert!(found.ends_with("generated.s1.Main.start(I)I\n  generated.s1.A.s(IJ)I"), "{found}");
    }

    #[test]
    fn a_context_that_only_one_side_has_is_a_difference() {
        let (expected, empty) = (tree([1, 2]), Contexts::empty());
        assert_eq!(expected.differences(&empty).len(), 1);
        assert_eq!(empty.differences(&expected).len(), 1);
    }

    #[test]
    fn classes_of_lambdas_belong_to_the_jdk() {
        assert!(is_generated("generated.s12.A"));
        assert!(!is_generated("generated.s12.A$$Lambda"));
        assert!(!is_generated("generated.Runner"));
        assert!(!is_generated("generated.swamp.A"));
    }
}
