//! One numbering of methods for several runs, whose tables have numbers of their own.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::dataset::Dataset;
use crate::method_table;
use crate::run::Run;
use tree::error::Result;
use tree::names::method::Method;

/// Numbers of methods in the order in which they were met.
#[derive(Debug, Default)]
pub struct Numbering {
    numbers: FxHashMap<Method, u32>,
    /// Those of the methods of shared tables, by program and name of the table.
    tables: FxHashMap<(String, String), Rc<Vec<u32>>>,
}

/// The numbers of a run's methods.
#[derive(Debug)]
pub struct OfRun {
    shared: Rc<Vec<u32>>,
    own: Vec<u32>,
}

impl OfRun {
    /// The number here of a method of the run's tables.
    #[inline]
    pub fn get(&self, method: i32) -> Option<u32> {
        match usize::try_from(method) {
            Ok(at) => self.shared.get(at).copied(),
            // Not negative: the sign is.
            Err(_) => self.own.get((-1 - i64::from(method)) as usize).copied(),
        }
    }
}

impl Numbering {
    /// How many methods there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The numbers of a run's methods; `has_own` says whether it has a table of its own.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn of_run(&mut self, dataset: &Dataset, run: &Run, has_own: bool) -> Result<OfRun> {
        let key = (run.program.clone(), run.methods_table.clone());
        let shared = match self.tables.get(&key) {
            Some(table) => Rc::clone(table),
            None => {
                let table = Rc::new(self.table(dataset, &run.program, &run.methods_table)?);
                self.tables.insert(key, Rc::clone(&table));
                table
            }
        };
        let own = match has_own {
            true => self.table(dataset, &run.program, &run.id)?,
            false => Vec::new(),
        };
        Ok(OfRun { shared, own })
    }

    /// All methods with their numbers.
    pub fn into_methods(self) -> Vec<(Method, u32)> {
        self.numbers.into_iter().collect()
    }

    fn table(&mut self, dataset: &Dataset, program: &str, name: &str) -> Result<Vec<u32>> {
        let table = method_table::read(dataset, program, name)?;
        let numbers = table.methods.into_iter().map(|method| {
            // Tables number methods in 32 bits; all of them together have no more names.
            let next = self.numbers.len() as u32;
            *self.numbers.entry(method).or_insert(next)
        });
        Ok(numbers.collect())
    }
}
