//! pprof: protocol buffers, as Go, async-profiler and many others write them.

use std::io::BufRead;
use std::path::Path;

use profile::Profile;
use rustc_hash::FxHashMap;

use crate::import::builder::{Builder, Paths};
use crate::import::frame::{NO_STACK, UNKNOWN};
use crate::import::input::{decoded, open_counted, read_whole};
use crate::import::pprof_text;
use crate::import::signed::{self, Signed};
use crate::protobuf::{Value, for_each_field};
use tree::error::{Error, Result};

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
/// Differences of profiles have negative values; there are no such costs, and what is
/// less in a context is a metric of its own.
///
/// # Errors
/// If one is damaged, or measures something else.
pub fn read(files: &[impl AsRef<Path>]) -> Result<Profile> {
    let mut importer = Signed::new(FORMAT);
    for path in files {
        let path = path.as_ref();
        let input = open_counted(path, importer.allowance())?;
        add_file(&mut importer, path, input)?;
    }
    importer.finish()
}

/// Reads the bytes of one file; `path` is its name in messages.
///
/// # Errors
/// As [`read()`].
pub fn read_bytes(path: &Path, bytes: &[u8]) -> Result<Profile> {
    let mut importer = Signed::new(FORMAT);
    let input = decoded(bytes, importer.allowance()).map_err(|e| Error::io(path, &e))?;
    add_file(&mut importer, path, input)?;
    importer.finish()
}

fn add_file(importer: &mut Signed, path: &Path, input: impl BufRead) -> Result<()> {
    let bytes = read_whole(path, input)?;
    if pprof_text::is_text(&bytes) {
        let text = pprof_text::parse(&bytes).map_err(|what| importer.wrong(path, &what))?;
        drop(bytes);
        let metrics = text.metrics.iter().map(|name| (*name).to_owned()).collect();
        return importer.thread(path, metrics, |builder, paths| {
            for (frames, values) in &text.samples {
                let frames = frames.iter().rev().map(|frame| builder.frame(frame));
                add(frames, values, paths).map_err(|error| error.of_file(path))?;
            }
            Ok(())
        });
    }
    let tables = Tables::read(&bytes).ok_or_else(|| importer.wrong(path, "it is damaged"))?;
    importer.times.add_nanos(tables.nanos[0], tables.nanos[1]);
    let broken = importer.wrong(path, "a broken sample");
    importer.thread(path, tables.metrics(), |builder, paths| {
        for sample in &tables.samples {
            let added = add_sample(sample, &tables, builder, paths);
            if added.map_err(|error| error.of_file(path))?.is_none() {
                return Err(broken);
            }
        }
        Ok(())
    })
}

impl<'b> Tables<'b> {
    fn read(bytes: &'b [u8]) -> Option<Self> {
        let mut tables = Self::default();
        for_each_field(bytes, |field, value| {
            match field {
                1 => tables.value_types.push(value.pair()?),
                2 => tables.samples.push(value.bytes()),
                4 => tables.location(value)?,
                5 => {
                    let (id, name) = value.pair()?;
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
                4 => functions.push(value.pair()?.0),
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
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| UNKNOWN.to_owned())
    }
}

fn add_sample(
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
    if whole.is_none() || values.len() != tables.value_types.len() {
        return Ok(None);
    }
    let values: Vec<i64> = values.into_iter().map(u64::cast_signed).collect();
    if locations.is_empty() {
        let none = builder.frame(NO_STACK);
        return add(std::iter::once(none), &values, paths).map(Some);
    }
    // The leaf comes first.
    let functions = locations.iter().rev().flat_map(|location| {
        let known = tables.locations.get(location).filter(|functions| !functions.is_empty());
        known.map_or(&[NO_FUNCTION][..], Vec::as_slice)
    });
    let functions = functions.map(|&function| builder.frame(&tables.frame(function)));
    add(functions, &values, paths).map(Some)
}

/// Numbers of functions begin with 1.
const NO_FUNCTION: u64 = 0;

/// Adds values to a path. What is less counts by itself.
fn add(frames: impl Iterator<Item = u32>, values: &[i64], paths: &mut Paths) -> Result<()> {
    let mut at = Paths::ROOT;
    for method in frames {
        at = paths.child(at, method)?;
    }
    for (metric, &value) in values.iter().enumerate() {
        signed::add(paths, at, (metric, values.len()), value)?;
    }
    Ok(())
}
