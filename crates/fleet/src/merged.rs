//! Contexts that an engine has merged, read back.

use std::path::Path;

use crate::table;
use tree::error::Result;
use tree::fold::table::Row;
use tree::keys::{Key, METRICS, join};

/// The contexts of a table that the question `merge` has answered with, in the order in
/// which they first appear.
///
/// # Errors
/// If the file is not such a table.
pub fn read(path: &Path) -> Result<Vec<Row>> {
    const WANTED: [&str; 11] = [
        "first",
        "key_hi",
        "key_lo",
        "parent_hi",
        "parent_lo",
        "method_hi",
        "method_lo",
        "bytecode_index",
        "line",
        "exclusive",
        "rows",
    ];
    let mut table = table::read(path, &[&WANTED[..], &METRICS].concat())?;
    let mut take = |name: &str| -> Result<Vec<i64>> {
        let values: Option<Vec<i64>> = table.present(name)?;
        values.ok_or_else(|| table.error(&format!("column {name} lacks values")))
    };
    let first = take("first")?;
    let mut keys = |name: &str| -> Result<Vec<Key>> {
        let (high, low) = (take(&format!("{name}_hi"))?, take(&format!("{name}_lo"))?);
        Ok(high.into_iter().zip(low).map(|(high, low)| join(high, low)).collect())
    };
    let (key, parent, method) = (keys("key")?, keys("parent")?, keys("method")?);
    let (bytecode_index, line) = (take("bytecode_index")?, take("line")?);
    let (exclusive, rows) = (take("exclusive")?, take("rows")?);
    let mut metrics = Vec::with_capacity(METRICS.len());
    for name in METRICS {
        metrics.push(table.present(name)?);
    }
    let mut order: Vec<usize> = (0..first.len()).collect();
    order.sort_unstable_by_key(|&row| first[row]);
    let rows = order.into_iter().map(|row| Row {
        key: key[row],
        parent: parent[row],
        method: method[row],
        // Profiles name no call site out of this range.
        site: (bytecode_index[row] as i32, line[row] as i32),
        metrics: std::array::from_fn(|at| metrics[at].as_ref().map(|of| of[row].unsigned_abs())),
        exclusive: exclusive[row].unsigned_abs(),
        rows: rows[row].unsigned_abs(),
    });
    Ok(rows.collect())
}
