//! The graphs of a recording of costs, by the methods of a program.

use profile::Profile;
use profile::dataflow::{CostGraph, Place};
use tree::error::{Error, Result};
use tree::names::method::Method;

use super::program::Program;
use crate::dataflow::method_table::{MethodTable, Renumbering};

/// A graph, and the methods that its places are of.
pub struct CostGraphOf<'p> {
    /// The graph.
    pub graph: &'p CostGraph,
    numbers: Renumbering,
    methods: Vec<Method>,
}

impl<'p> CostGraphOf<'p> {
    /// Those of some profiles.
    ///
    /// # Errors
    /// If one of them has no costs.
    pub fn all(profiles: &'p [(String, Profile)]) -> Result<Vec<Self>> {
        let of = |(file, profile): &'p (String, Profile)| {
            let Some(graph) = &profile.dataflow.costs else {
                return Err(Error::new(format!(
                    "{file}: no costs were recorded; record with mode=costs"
                )));
            };
            let mut table = MethodTable::default();
            let numbers = table.add(profile);
            Ok(Self { graph, numbers, methods: table.finish() })
        };
        profiles.iter().map(of).collect()
    }

    /// A place by the number of its method among those of all profiles.
    pub fn place(&self, place: Place) -> Place {
        self.numbers.place(place)
    }

    /// The program's number of the method of a [`Self::place`], if it was executed.
    pub fn method(&self, program: &Program<'_>, place: Place) -> Option<u32> {
        program.number(self.methods.get(place.method?.0 as usize)?)
    }
}
