//! A profile without its contexts.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use crate::layout::header;
use crate::read::is_compact;
use crate::{Columns, Error, Profile, compact, read_with};

/// What a file says of its contexts together. Of a file in the compact form
/// this is known many times faster than its contexts.
#[derive(Debug, Clone, Default)]
pub struct Overview {
    /// The profile, without contexts; the ranges of its threads tell how many
    /// each has.
    pub tables: Profile,
    /// Number of the contexts, apart by thread and call site.
    pub contexts: u32,
    /// Name of each metric, and its sum over all contexts.
    pub totals: Vec<(String, u128)>,
}

/// Reads the overview of a profile file in either form. The error does not name
/// the file.
///
/// # Errors
///
/// When the file cannot be read, or the bytes are no profile, are cut short or
/// are damaged. In the compact form, damage that keeps a block's checksum is
/// noticed only by [`read`](crate::read).
pub fn read_overview(path: &Path) -> Result<Overview, Error> {
    let mut file = File::open(path)?;
    // What is no file, such as a pipe, can be read only once.
    if file.metadata()?.is_file() {
        let mut start = Vec::new();
        file.by_ref().take(header::COMPACT_LEN as u64).read_to_end(&mut start)?;
        if is_compact(&start)? {
            return compact::read_overview(&file);
        }
        file.rewind()?;
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let mut tables = read_with(&bytes, &Columns::All)?;
    let nodes = std::mem::take(&mut tables.nodes);
    let sum = |values: Vec<u64>| values.into_iter().map(u128::from).sum();
    Ok(Overview {
        tables,
        // Contexts are numbered in 32 bits.
        contexts: nodes.method.len() as u32,
        totals: nodes.metrics.into_iter().map(|metric| (metric.name, sum(metric.values))).collect(),
    })
}
