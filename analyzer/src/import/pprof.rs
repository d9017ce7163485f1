//! pprof: protocol buffers, as Go, async-profiler and many others write them.

use std::path::Path;

use profile::Profile;
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::import::builder::{Builder, Paths};
use crate::import::input::read_all;
use crate::import::times::Times;
use crate::protobuf::{Value, for_each_field};

/// What profiles say that they were imported from.
pub const FORMAT: &str = "pprof";

/// What the parts of a file are, still by their numbers.
#[derive(Default)]
struct Tables<'b> {
    strings: Vec<&'b [u8]>,
    /// Start and duration in nanoseconds.
    nanos: [u64; 2],
    /// Type and unit of each value.
    value_types: Vec<(u64, u64)>,
    samples: Vec<&'b [u8]>,
    /// Functions of each location, the one that is called first.
    locations: FxHashMap<u64, Vec<u64>>,
    /// Name of each function.
    functions: FxHashMap<u64, u64>,
}

/// Reads files that measure the same things into one profile, a thread each.
///
/// # Errors
/// If one is damaged, or measures something else.
pub fn read(files: &[impl AsRef<Path>]) -> Result<Profile> {
    let mut builder: Option<(Builder, Vec<String>)> = None;
    let mut times = Times::default();
    for path in files {
        let path = path.as_ref();
        let bytes = read_all(path)?;
        let wrong =
            |what: &str| Error::new(format!("{}: no pprof profile: {what}", path.display()));
        let tables = Tables::read(&bytes).ok_or_else(|| wrong("it is damaged"))?;
        times.add_nanos(tables.nanos[0], tables.nanos[1]);
        let metrics = tables.metrics();
        if metrics.is_empty() {
            return Err(wrong("it measures nothing"));
        }
        let (builder, known) =
            builder.get_or_insert_with(|| (Builder::new(&metrics), metrics.clone()));
        if *known != metrics {
            return Err(wrong(&format!(
                "it measures {}, the one before {}",
                metrics.join(", "),
                known.join(", ")
            )));
        }
        let mut paths = Paths::new(metrics.len());
        for sample in &tables.samples {
            add(sample, &tables, builder, &mut paths)?.ok_or_else(|| wrong("a broken sample"))?;
        }
        if paths.is_empty() {
            return Err(wrong("it has no samples"));
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        builder.thread(name, &paths)?;
    }
    let (builder, _) = builder.ok_or_else(|| Error::new("no file given"))?;
    let mut profile = builder.finish(FORMAT);
    times.note(&mut profile.run);
    Ok(profile)
}

impl<'b> Tables<'b> {
    fn read(bytes: &'b [u8]) -> Option<Self> {
        let mut tables = Self::default();
        for_each_field(bytes, |field, value| {
            match field {
                1 => tables.value_types.push(pair(value)?),
                2 => tables.samples.push(value.bytes()),
                4 => tables.location(value)?,
                5 => {
                    let (id, name) = pair(value)?;
                    tables.functions.insert(id, name);
                }
                9 => tables.nanos[0] = value.number(),
                10 => tables.nanos[1] = value.number(),
                6 => tables.strings.push(value.bytes()),
                _ => {}
            }
            Some(())
        })?;
        Some(tables)
    }

    fn location(&mut self, location: Value<'b>) -> Option<()> {
        let (mut id, mut functions) = (0, Vec::new());
        for_each_field(location.bytes(), |field, value| {
            match field {
                1 => id = value.number(),
                // A line: the function, inlined ones before their callers.
                4 => functions.push(pair(value)?.0),
                _ => {}
            }
            Some(())
        })?;
        functions.reverse();
        self.locations.insert(id, functions);
        Some(())
    }

    fn string(&self, index: u64) -> String {
        let bytes = usize::try_from(index).ok().and_then(|index| self.strings.get(index));
        String::from_utf8_lossy(bytes.copied().unwrap_or_default()).into_owned()
    }

    fn metrics(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for &(kind, unit) in &self.value_types {
            let (kind, unit) = (self.string(kind), self.string(unit));
            let plain = kind.is_empty() || names.contains(&kind);
            names.push(if plain { format!("{kind} {unit}") } else { kind });
        }
        names
    }

    fn frame(&self, function: u64) -> String {
        let name = self.functions.get(&function).map(|&name| self.string(name));
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| "[unknown]".to_owned())
    }
}

/// The first two numbers of a message.
fn pair(message: Value<'_>) -> Option<(u64, u64)> {
    let (mut first, mut second) = (0, 0);
    for_each_field(message.bytes(), |field, value| {
        match field {
            1 => first = value.number(),
            2 => second = value.number(),
            _ => {}
        }
        Some(())
    })?;
    Some((first, second))
}

fn add(
    sample: &[u8],
    tables: &Tables<'_>,
    builder: &mut Builder,
    paths: &mut Paths,
) -> Result<Option<()>> {
    let (mut locations, mut values) = (Vec::new(), Vec::new());
    let whole = for_each_field(sample, |field, value| match field {
        1 => value.append_to(&mut locations),
        2 => value.append_to(&mut values),
        _ => Some(()),
    });
    if whole.is_none() || values.len() != tables.value_types.len() || locations.is_empty() {
        return Ok(None);
    }
    let mut at = Paths::ROOT;
    // The leaf comes first.
    for location in locations.iter().rev() {
        match tables.locations.get(location) {
            Some(functions) if !functions.is_empty() => {
                for &function in functions {
                    at = paths.child(at, builder.frame(&tables.frame(function)))?;
                }
            }
            _ => at = paths.child(at, builder.frame("[unknown]"))?,
        }
    }
    for (metric, value) in values.into_iter().enumerate() {
        // Differences of profiles may be negative; there is no such cost.
        if value > i64::MAX as u64 {
            return Ok(None);
        }
        paths.add(at, metric, value)?;
    }
    Ok(Some(()))
}
