//! The table `methods`: names by number.
//!
//! Runs of one program have nearly the same methods. Most runs share a table, in which
//! numbers are not negative; methods that are not in it get negative numbers, in a table
//! of the run's own. A run with many of these, such as the first one, makes a new table to
//! be shared.

use std::path::Path;

use rustc_hash::FxHashMap;
use twox_hash::XxHash3_128;

use crate::dataset::{Dataset, Kind};
use crate::run::Run;
use crate::table::{self, Column};
use tree::Tree;
use tree::error::Result;
use tree::keys::{method_key, split};
use tree::names::method::Method;

/// What names of shared tables begin with.
const SHARED: &str = "shared-";
/// A run may have so many methods of its own ...
const OWN: usize = 64;
/// ... or this part of those that are shared.
const OWN_PART: usize = 8;

/// Names by number of one table.
#[derive(Debug, Clone, Default)]
pub struct MethodTable {
    /// Its name.
    pub name: String,
    /// In the order of the numbers, which begin with 0.
    pub methods: Vec<Method>,
}

/// The shared tables of programs, as far as they have been asked for.
#[derive(Debug, Default)]
pub struct SharedTables {
    of_program: FxHashMap<String, Vec<Numbers>>,
}

#[derive(Debug)]
struct Numbers {
    name: String,
    of_method: FxHashMap<Method, i32>,
}

impl SharedTables {
    /// Numbers for the methods of a run, in their order. Adds the names that are not in
    /// the dataset, and says in the run which table the others are in.
    ///
    /// # Errors
    /// If a table cannot be read or written.
    pub fn number(
        &mut self,
        dataset: &Dataset,
        run: &mut Run,
        methods: &[&Method],
        tree: &Tree,
    ) -> Result<Vec<i32>> {
        if !self.of_program.contains_key(&run.program) {
            let known = read_shared(dataset, &run.program)?;
            self.of_program.insert(run.program.clone(), known);
        }
        let tables = self.of_program.entry(run.program.clone()).or_default();
        let missing = |table: &Numbers| {
            methods.iter().filter(|method| !table.of_method.contains_key(**method)).count()
        };
        let best = tables.iter().enumerate().map(|(at, table)| (missing(table), at)).min();
        let at = match best {
            Some((missing, at)) if missing <= OWN.max(methods.len() / OWN_PART) => at,
            _ => {
                let name = shared_name(methods);
                let path = dataset.method_table(&run.program, &name);
                write(dataset, &path, &name, methods, 0.., tree)?;
                let numbers = methods.iter().map(|&method| method.clone()).zip(0..);
                tables.push(Numbers { name, of_method: numbers.collect() });
                tables.len() - 1
            }
        };
        let table = &tables[at];
        run.methods_table.clone_from(&table.name);
        let mut own = Vec::new();
        let numbers = methods.iter().map(|&method| match table.of_method.get(method) {
            Some(&number) => number,
            None => {
                own.push(method);
                // There are fewer than 2^31 methods.
                -(own.len() as i32)
            }
        });
        let numbers: Vec<i32> = numbers.collect();
        if !own.is_empty() {
            let path = dataset.path(Kind::Methods, run);
            write(dataset, &path, &run.id, &own, (i32::MIN..0).rev(), tree)?;
        }
        Ok(numbers)
    }
}

/// Reads the names of a table, shared or of a run.
///
/// # Errors
/// If it cannot be read.
pub fn read(dataset: &Dataset, program: &str, name: &str) -> Result<MethodTable> {
    let path = dataset.method_table(program, name);
    let mut table = table::read(&path, &["method", "class", "name", "descriptor"])?;
    let numbers = table.ints("method")?;
    let expected = if name.starts_with(SHARED) { 1 } else { -1 };
    let is_counted = |(at, &number): (usize, &i32)| {
        let place = if expected > 0 { i64::from(number) } else { -1 - i64::from(number) };
        place == at as i64
    };
    if !numbers.iter().enumerate().all(is_counted) {
        return Err(table.error("its numbers have gaps"));
    }
    let (classes, names) = (table.texts("class")?, table.texts("name")?);
    let rest = names.into_iter().zip(table.texts("descriptor")?);
    let methods = classes.into_iter().zip(rest).map(|(class, (name, descriptor))| Method {
        class,
        name,
        descriptor,
    });
    Ok(MethodTable { name: name.to_owned(), methods: methods.collect() })
}

fn read_shared(dataset: &Dataset, program: &str) -> Result<Vec<Numbers>> {
    let names = dataset.method_tables(program)?.into_iter().filter(|n| n.starts_with(SHARED));
    let tables = names.map(|name| {
        let table = read(dataset, program, &name)?;
        Ok(Numbers { name, of_method: table.methods.into_iter().zip(0..).collect() })
    });
    tables.collect()
}

/// The name of a table that holds these methods, from their keys: tables of one name hold
/// the same.
fn shared_name(methods: &[&Method]) -> String {
    let keys = methods.iter().flat_map(|method| {
        let (high, low) = split(method_key(method));
        [high.to_le_bytes(), low.to_le_bytes()].concat()
    });
    let hash = XxHash3_128::oneshot(&keys.collect::<Vec<u8>>());
    format!("{SHARED}{hash:032x}")
}

fn write(
    dataset: &Dataset,
    path: &Path,
    name: &str,
    methods: &[&Method],
    numbers: impl Iterator<Item = i32>,
    tree: &Tree,
) -> Result<()> {
    let (high, low) = methods.iter().map(|method| split(method_key(method))).unzip();
    let texts =
        |of: fn(&Method) -> &String| methods.iter().map(|method| of(method).clone()).collect();
    let source = |method: &&Method| tree.source_files.get(&method.class).cloned();
    let columns = [
        ("table", Column::Same(name.to_owned(), methods.len())),
        ("method", Column::Int(numbers.take(methods.len()).collect())),
        ("method_hi", Column::Long(high)),
        ("method_lo", Column::Long(low)),
        ("class", Column::Text(texts(|method| &method.class))),
        ("name", Column::Text(texts(|method| &method.name))),
        ("descriptor", Column::Text(texts(|method| &method.descriptor))),
        (
            "source_file",
            Column::Text(methods.iter().map(|m| source(m).unwrap_or_default()).collect()),
        ),
    ];
    dataset.add(path, |file| table::write("methods", &columns, &["method"], file))
}
