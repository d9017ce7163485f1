//! How long units took once, kept beside the sources: only their order is made of it.

use std::collections::BTreeMap;
use std::fs;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/durations.tsv");

/// Seconds by names of units.
pub fn known() -> BTreeMap<String, f64> {
    let text = fs::read_to_string(FILE).unwrap_or_default();
    let line = |line: &str| {
        let (name, seconds) = line.split_once('\t')?;
        Some((name.to_owned(), seconds.parse().ok()?))
    };
    text.lines().filter_map(line).collect()
}

/// Writes them down, if `SUBSUME_DURATIONS` is set.
pub fn keep(taken: &BTreeMap<String, f64>) {
    if std::env::var_os("SUBSUME_DURATIONS").is_none() {
        return;
    }
    let mut all = known();
    all.extend(taken.iter().map(|(name, seconds)| (name.clone(), *seconds)));
    let lines = all.iter().map(|(name, seconds)| format!("{name}\t{seconds:.0}\n"));
    if let Err(error) = fs::write(FILE, lines.collect::<String>()) {
        eprintln!("runner: {FILE} cannot be written: {error}");
    }
}
