//! What a run's tree is to the analysis of many: the tables `method_runs` and
//! `dominators`.

use profile::NO_PARENT;

use crate::dataset::{Dataset, Kind};
use crate::run::{METRICS, Run};
use crate::table::{self, Column};
use analysis::diff::code::Code;
use analysis::subsuming::characteristics::all_dominators;
use tree::Tree;
use tree::both::both;
use tree::costs::costs;
use tree::error::{Error, Result};
use tree::names::method::Method;

/// Facts about the methods of a run, a value for each in all columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MethodRuns {
    /// Numbers of the methods, ascending.
    pub method: Vec<i32>,
    /// Own costs by [`METRICS`]; `None` of those that the run does not have.
    pub metrics: [Option<Vec<i64>>; 3],
    /// Own cost.
    pub exclusive: Vec<i64>,
    /// Cost with all that it called; recursion counts once.
    pub inclusive: Vec<i64>,
    /// Calling contexts.
    pub contexts: Vec<i64>,
    /// Greatest height in the adjusted tree.
    pub height: Vec<i32>,
    /// Greatest depth in the adjusted tree, below a virtual root: the distance to that.
    pub depth: Vec<i32>,
    /// 1 for a method that is a root somewhere.
    pub is_root: Vec<i32>,
    /// Hash of the code, 0 if it is not known.
    pub code_hash: Vec<i64>,
}

/// Dominators of methods with their greatest distance, by method, the virtual root left
/// out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dominators {
    /// The method.
    pub method: Vec<i32>,
    /// What dominates it.
    pub dominator: Vec<i32>,
    /// How far away that is at most.
    pub distance: Vec<i32>,
}

/// The methods of the tree that were executed, in the order of the table.
pub fn executed(tree: &Tree) -> Vec<u32> {
    let mut is_executed = vec![false; tree.methods.len()];
    for &method in &tree.method {
        is_executed[method as usize] = true;
    }
    (0..).zip(is_executed).filter(|&(_, is)| is).map(|(method, _)| method).collect()
}

/// The methods of these numbers.
pub fn named<'t>(tree: &'t Tree, methods: &[u32]) -> Vec<&'t Method> {
    methods.iter().map(|&method| &tree.methods[method as usize]).collect()
}

/// Sums up a tree of normalised names. `executed` are its executed methods, `numbers` the
/// numbers that these have in the dataset.
///
/// # Errors
/// If costs leave 63 bits.
pub fn summarise(
    tree: &Tree,
    code: &Code,
    executed: &[u32],
    numbers: &[i32],
) -> Result<(MethodRuns, Dominators)> {
    let too_large = || Error::new("costs leave the 63 bits that tables have");
    if tree.metrics.iter().any(|metric| {
        let sum = metric.values.iter().try_fold(0u64, |sum, &value| sum.checked_add(value));
        sum.is_none_or(|sum| i64::try_from(sum).is_err())
    }) {
        return Err(too_large());
    }
    let virtual_root = tree.methods.len() as u32;
    let mut depth = vec![0; tree.methods.len()];
    let mut dominators = Vec::new();
    let (heights, costs) = both(
        || {
            all_dominators(tree, |method, nearest| {
                // Trees are not as deep as 31 bits count.
                let distance = nearest.distance as i32;
                match nearest.label {
                    label if label == virtual_root => depth[method as usize] = distance,
                    label => dominators.push((method, distance, label)),
                }
            })
        },
        || costs(tree),
    );
    let mut number_of = vec![0; tree.methods.len()];
    for (&method, &number) in executed.iter().zip(numbers) {
        number_of[method as usize] = number;
    }
    let mut rows: Vec<(i32, i32, i32)> = dominators
        .into_iter()
        .map(|(method, distance, by)| {
            (number_of[method as usize], distance, number_of[by as usize])
        })
        .collect();
    rows.sort_unstable();
    let dominators = Dominators {
        method: rows.iter().map(|row| row.0).collect(),
        dominator: rows.iter().map(|row| row.2).collect(),
        distance: rows.iter().map(|row| row.1).collect(),
    };

    let mut is_root = vec![0; tree.methods.len()];
    for (&method, &parent) in tree.method.iter().zip(&tree.parent) {
        if parent == NO_PARENT {
            is_root[method as usize] = 1;
        }
    }
    let mut order: Vec<usize> = (0..executed.len()).collect();
    order.sort_unstable_by_key(|&at| numbers[at]);
    let of = |values: &dyn Fn(usize) -> i64| -> Vec<i64> {
        order.iter().map(|&at| values(executed[at] as usize)).collect()
    };
    let of_int = |values: &dyn Fn(usize) -> i32| -> Vec<i32> {
        order.iter().map(|&at| values(executed[at] as usize)).collect()
    };
    let metrics = METRICS.map(|name| {
        let metric = tree.metrics.iter().find(|metric| metric.name == name)?;
        let mut sums = vec![0i64; tree.methods.len()];
        for (&method, &value) in tree.method.iter().zip(&metric.values) {
            // The sum of all is in range.
            sums[method as usize] += value as i64;
        }
        Some(of(&|method| sums[method]))
    });
    let runs = MethodRuns {
        method: order.iter().map(|&at| numbers[at]).collect(),
        metrics,
        exclusive: of(&|method| costs[method].exclusive as i64),
        inclusive: of(&|method| costs[method].inclusive as i64),
        contexts: of(&|method| costs[method].contexts as i64),
        height: of_int(&|method| heights[method] as i32),
        depth: of_int(&|method| depth[method]),
        is_root: of_int(&|method| is_root[method]),
        code_hash: of(&|method| code.hash_of(&tree.methods[method]) as i64),
    };
    Ok((runs, dominators))
}

impl MethodRuns {
    /// Adds the rows of a run.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, dataset: &Dataset, run: &Run) -> Result<()> {
        let rows = self.method.len();
        let mut columns = vec![
            ("run_id", Column::Same(run.id.clone(), rows)),
            ("run_key", Column::Long(vec![run.key(); rows])),
            ("method", Column::Int(self.method.clone())),
        ];
        for (name, values) in METRICS.into_iter().zip(&self.metrics) {
            let values = match values {
                Some(values) => values.iter().copied().map(Some).collect(),
                None => vec![None; rows],
            };
            columns.push((name, Column::Optional(values)));
        }
        columns.extend([
            ("exclusive", Column::Long(self.exclusive.clone())),
            ("inclusive", Column::Long(self.inclusive.clone())),
            ("contexts", Column::Long(self.contexts.clone())),
            ("height", Column::Int(self.height.clone())),
            ("depth", Column::Int(self.depth.clone())),
            ("is_root", Column::Int(self.is_root.clone())),
            ("code_hash", Column::Long(self.code_hash.clone())),
        ]);
        let path = dataset.path(Kind::MethodRuns, run);
        dataset.add(&path, |file| table::write("method_runs", &columns, &["method"], file))
    }

    /// Whether some methods are in a table of the run's own.
    pub fn has_own(&self) -> bool {
        self.method.first().is_some_and(|&method| method < 0)
    }

    /// Reads the rows of a run.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read(dataset: &Dataset, run: &Run) -> Result<Self> {
        let rest = [
            "method",
            "exclusive",
            "inclusive",
            "contexts",
            "height",
            "depth",
            "is_root",
            "code_hash",
        ];
        let present = METRICS.into_iter().zip(run.totals).filter(|(_, total)| total.is_some());
        let present: Vec<&str> = present.map(|(name, _)| name).collect();
        let wanted = [&rest[..], &present].concat();
        let mut table = table::read(&dataset.path(Kind::MethodRuns, run), &wanted)?;
        let mut metrics = [None, None, None];
        for (values, name) in metrics.iter_mut().zip(METRICS) {
            if present.contains(&name) {
                let column = table.optional(name)?;
                *values = Some(column.into_iter().map(Option::unwrap_or_default).collect());
            }
        }
        Ok(Self {
            method: table.ints("method")?,
            metrics,
            exclusive: table.longs("exclusive")?,
            inclusive: table.longs("inclusive")?,
            contexts: table.longs("contexts")?,
            height: table.ints("height")?,
            depth: table.ints("depth")?,
            is_root: table.ints("is_root")?,
            code_hash: table.longs("code_hash")?,
        })
    }
}

impl Dominators {
    /// Adds the rows of a run.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, dataset: &Dataset, run: &Run) -> Result<()> {
        let columns = [
            ("run_id", Column::Same(run.id.clone(), self.method.len())),
            ("run_key", Column::Long(vec![run.key(); self.method.len()])),
            ("method", Column::Int(self.method.clone())),
            ("dominator", Column::Int(self.dominator.clone())),
            ("distance", Column::Int(self.distance.clone())),
        ];
        let path = dataset.path(Kind::Dominators, run);
        dataset.add(&path, |file| table::write("dominators", &columns, &["method"], file))
    }

    /// Reads the rows of a run.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read(dataset: &Dataset, run: &Run) -> Result<Self> {
        let path = dataset.path(Kind::Dominators, run);
        let mut table = table::read(&path, &["method", "dominator", "distance"])?;
        Ok(Self {
            method: table.ints("method")?,
            dominator: table.ints("dominator")?,
            distance: table.ints("distance")?,
        })
    }
}
