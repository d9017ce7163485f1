//! Methods by name, because each recording numbers them in its own way.

use profile::Profile;
use profile::dataflow::Place;
use rustc_hash::FxHashMap;

use tree::names::method::Method;

/// The methods of several recordings, each once.
#[derive(Debug, Default)]
pub struct MethodTable {
    methods: Vec<Method>,
    numbers: FxHashMap<Method, u32>,
}

impl MethodTable {
    /// Adds the methods of a profile; gives the number that each has here.
    pub fn add(&mut self, profile: &Profile) -> Renumbering {
        let numbers = profile.names().map(Method::from).map(|method| {
            if let Some(&number) = self.numbers.get(&method) {
                return number;
            }
            let number = self.methods.len() as u32;
            self.methods.push(method.clone());
            self.numbers.insert(method, number);
            number
        });
        Renumbering { numbers: numbers.collect() }
    }

    /// The methods, in the order of their numbers.
    pub fn finish(self) -> Vec<Method> {
        self.methods
    }
}

/// Numbers of a profile's methods in a [`MethodTable`].
#[derive(Debug)]
pub struct Renumbering {
    numbers: Vec<u32>,
}

impl Renumbering {
    /// The number that a method of the profile has in the table.
    pub fn method(&self, method: profile::MethodId) -> profile::MethodId {
        profile::MethodId(self.numbers[method.0 as usize])
    }

    /// The same place with the number that its method has in the table.
    pub fn place(&self, place: Place) -> Place {
        let method = place.method.map(|method| self.method(method));
        Place { method, ..place }
    }
}
