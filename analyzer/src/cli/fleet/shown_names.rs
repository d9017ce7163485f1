//! Names of the methods of several runs, as all commands show them.

use fleet::spread::Spreads;
use rustc_hash::FxHashMap;
use tree::names::method::Method;
use tree::readable_names::Names;

/// How methods are shown: with their parameters only where several have one name.
pub struct ShownNames<'a> {
    numbers: FxHashMap<&'a Method, u32>,
    names: Names,
}

impl<'a> ShownNames<'a> {
    /// The names of all methods that have costs.
    pub fn new(spreads: &'a Spreads) -> Self {
        let methods: Vec<Method> =
            spreads.methods.iter().map(|(method, _)| method.clone()).collect();
        let numbers = (0..).zip(&spreads.methods).map(|(number, (method, _))| (method, number));
        let names = Names::of_methods(&methods, 0..methods.len() as u32);
        Self { numbers: numbers.collect(), names }
    }

    /// The name of a method, which has costs.
    pub fn of(&self, method: &Method) -> &str {
        self.names.of(self.numbers.get(method).copied())
    }
}
