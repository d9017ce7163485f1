//! Inputs and results of methods, as the witness kept them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::counts::Method;

/// What a method's calls had as inputs and results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Witnessed {
    /// Its calls, however they ended.
    pub calls: u64,
    /// Those that returned.
    pub returned: u64,
    /// Distinct receivers.
    pub receivers: u64,
    /// Distinct inputs.
    pub inputs: u64,
    /// Calls with an input seen before and the same result.
    pub hits: u64,
    /// Those of them with the input of the call before.
    pub last_hits: u64,
    /// Calls with an input seen before and another result.
    pub conflicts: u64,
    /// What holds for all results: a set of the bits in [`profile::results`].
    pub kinds: u8,
    /// The kind of result, by its name in JSON.
    pub kind: String,
}

/// What the witness kept in a run.
#[derive(Debug, Clone, Default)]
pub struct WitnessedResults {
    /// The methods that were called.
    pub methods: BTreeMap<Method, Witnessed>,
    /// The classes that were rewritten.
    pub classes: BTreeSet<String>,
    /// Methods that could not be rewritten.
    pub left_out: BTreeSet<Method>,
}

impl WitnessedResults {
    /// Reads the file that the witness writes.
    ///
    /// # Panics
    /// If the file is missing or a line of it is not of the witness's form.
    pub fn of_witness(file: &Path) -> Self {
        let text = fs::read_to_string(file).expect("the witness writes its results");
        let mut run = Self::default();
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            match *fields.as_slice() {
                [class] => {
                    run.classes.insert(class.to_owned());
                }
                [class, name, descriptor] => {
                    run.left_out.insert(Method::new(class, name, descriptor));
                }
                [class, name, descriptor, ref numbers @ .., kind] => {
                    let method = Method::new(class, name, descriptor);
                    let second = run.methods.insert(method, Witnessed::of(numbers, kind));
                    assert!(second.is_none(), "two classes of one name: {line}");
                }
                _ => panic!("{}: {line}", file.display()),
            }
        }
        run
    }
}

impl Witnessed {
    fn of(numbers: &[&str], kind: &str) -> Self {
        let numbers: Vec<u64> =
            numbers.iter().map(|text| text.parse().expect("these are numbers")).collect();
        let [calls, returned, receivers, inputs, hits, last_hits, conflicts, kinds] = numbers[..]
        else {
            panic!("eight numbers of each method, not {numbers:?}")
        };
        let kinds = u8::try_from(kinds).expect("kinds are few");
        let kind = kind.to_owned();
        Self { calls, returned, receivers, inputs, hits, last_hits, conflicts, kinds, kind }
    }
}
