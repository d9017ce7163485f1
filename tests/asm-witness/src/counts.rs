//! Calls and bytecodes by method.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use profile::Profile;

/// A method as class files name it, its class with dots.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Method {
    /// Class.
    pub class: String,
    /// Name.
    pub name: String,
    /// Descriptor.
    pub descriptor: String,
}

impl Method {
    /// A method of these names.
    pub fn new(class: &str, name: &str, descriptor: &str) -> Self {
        let [class, name, descriptor] = [class, name, descriptor].map(str::to_owned);
        Self { class, name, descriptor }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}{}", self.class, self.name, self.descriptor)
    }
}

/// What a method did in all its contexts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count {
    /// How often it was entered.
    pub calls: u64,
    /// How many bytecodes it executed itself.
    pub bytecodes: u64,
}

/// Counts of a run. Classes of the same name are one.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// What was counted.
    pub methods: BTreeMap<Method, Count>,
    /// Methods that the witness could not rewrite.
    pub left_out: BTreeSet<Method>,
}

impl Counts {
    /// Reads the file that the witness writes.
    ///
    /// # Panics
    /// If the file is missing or a line of it is not of the witness's form.
    pub fn of_witness(file: &Path) -> Self {
        let text = fs::read_to_string(file).expect("the witness writes its counts");
        let mut counts = Self::default();
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let number = |text: &str| text.parse().expect("counts are numbers");
            match *fields.as_slice() {
                [class, name, descriptor, calls, bytecodes] => {
                    let count = Count { calls: number(calls), bytecodes: number(bytecodes) };
                    counts.add(Method::new(class, name, descriptor), count);
                }
                [class, name, descriptor] => {
                    counts.left_out.insert(Method::new(class, name, descriptor));
                }
                _ => panic!("{}: {line}", file.display()),
            }
        }
        counts
    }

    /// Sums up a profile.
    ///
    /// # Panics
    /// If it has no calls and bytecodes.
    pub fn of_profile(profile: &Profile) -> Self {
        let values = |name| &profile.nodes.metric(name).expect("a recording has it").values;
        let mut by_number = vec![Count::default(); profile.methods.len()];
        let costs = values("calls").iter().zip(values("bytecodes"));
        for (&method, (calls, bytecodes)) in profile.nodes.method.iter().zip(costs) {
            by_number[method as usize].calls += calls;
            by_number[method as usize].bytecodes += bytecodes;
        }
        let mut counts = Self::default();
        for (method, count) in profile.methods.iter().zip(by_number) {
            let class = &profile.classes[method.class.0 as usize].name;
            counts.add(Method::new(class, &method.name, &method.descriptor), count);
        }
        counts
    }

    fn add(&mut self, method: Method, count: Count) {
        let sum = self.methods.entry(method).or_default();
        sum.calls += count.calls;
        sum.bytecodes += count.bytecodes;
    }
}

/// Methods, as `name` with descriptor, that a profile says have no probes,
/// each with its class; the name is empty where that holds for a whole class.
pub fn without_probes(profile: &Profile) -> BTreeSet<(&str, &str)> {
    profile.skipped.iter().map(|s| (s.class.as_str(), s.method.as_str())).collect()
}
