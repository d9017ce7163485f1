//! Profiles of OpenTelemetry: `ProfilesData`, or a request to a collector, which has the same
//! fields, of `opentelemetry.proto.profiles.v1development`.

use std::path::Path;

use profile::Profile;

use crate::import::builder::{Builder, Paths};
use crate::import::frame::{NO_STACK, UNKNOWN};
use crate::import::input::{open_counted, read_whole};
use crate::import::signed::{self, Signed};
use crate::protobuf::{Value, for_each_field};
use tree::error::{Error, Result};

/// What profiles say that they were imported from.
pub const FORMAT: &str = "OTLP";

/// Reads files that measure the same things into one profile, a thread each. What is negative
/// counts by itself.
///
/// # Errors
/// If one is damaged, or measures something else.
pub fn read(files: &[impl AsRef<Path>]) -> Result<Profile> {
    let mut importer = Signed::new(FORMAT);
    for path in files {
        let path = path.as_ref();
        let input = open_counted(path, importer.allowance())?;
        add(&mut importer, path, &read_whole(path, input)?)?;
    }
    importer.finish()
}

fn add(importer: &mut Signed, path: &Path, bytes: &[u8]) -> Result<()> {
    let wrong = |importer: &Signed, what: &str| importer.wrong(path, what);
    let parts = Request::read(bytes);
    let Some(Request { dictionary, profiles }) = parts else {
        return Err(wrong(importer, "it is damaged"));
    };
    let mut metrics: Vec<String> = Vec::new();
    let mut metric_of = Vec::new();
    for profile in &profiles {
        importer.times.add_nanos(profile.start, profile.duration);
        let name = dictionary.metric(profile.kind);
        let known = metrics.iter().position(|known| *known == name);
        metric_of.push(known.unwrap_or_else(|| {
            metrics.push(name);
            metrics.len() - 1
        }));
    }
    let broken = wrong(importer, "a broken sample");
    let count = metrics.len();
    importer.thread(path, metrics, |builder, paths| {
        // Where each stack leads, once it is known: many samples may share one.
        let mut known = vec![None; dictionary.stacks.len()];
        for (profile, metric) in profiles.iter().zip(metric_of) {
            for sample in &profile.samples {
                let Some(Sample { stack, values }) = Sample::read(sample) else {
                    return Err(broken);
                };
                let Some(place) = known.get_mut(stack) else { return Err(broken) };
                let at = match *place {
                    Some(at) => at,
                    None => {
                        let at = dictionary.path(stack, builder, paths);
                        let at = at.map_err(|error| error.of_file(path))?;
                        *place.insert(at)
                    }
                };
                for value in values {
                    let added = signed::add(paths, at, (metric, count), value);
                    added.map_err(|error| error.of_file(path))?;
                }
            }
        }
        Ok(())
    })
}

/// The parts of a request.
#[derive(Default)]
struct Request<'b> {
    dictionary: Dictionary<'b>,
    profiles: Vec<OneProfile<'b>>,
}

/// What all profiles of a file refer to.
#[derive(Default)]
struct Dictionary<'b> {
    strings: Vec<&'b [u8]>,
    /// Functions of each location, the one that is called first in front.
    locations: Vec<Vec<u64>>,
    /// Name of each function.
    functions: Vec<u64>,
    stacks: Vec<&'b [u8]>,
}

/// A profile: one thing that was measured.
#[derive(Default)]
struct OneProfile<'b> {
    /// Type and unit.
    kind: (u64, u64),
    samples: Vec<&'b [u8]>,
    start: u64,
    duration: u64,
}

struct Sample {
    stack: usize,
    values: Vec<i64>,
}

impl<'b> Request<'b> {
    fn read(bytes: &'b [u8]) -> Option<Self> {
        let mut request = Self::default();
        for_each_field(bytes, |field, value| match field {
            1 => request.resource(value),
            2 => request.dictionary.add(value),
            _ => Some(()),
        })?;
        Some(request)
    }

    fn resource(&mut self, resource: Value<'b>) -> Option<()> {
        for_each_field(resource.bytes(), |field, value| match field {
            2 => self.scope(value),
            _ => Some(()),
        })
    }

    fn scope(&mut self, scope: Value<'b>) -> Option<()> {
        for_each_field(scope.bytes(), |field, value| {
            if field == 2 {
                self.profiles.push(OneProfile::read(value)?);
            }
            Some(())
        })
    }
}

impl<'b> OneProfile<'b> {
    fn read(message: Value<'b>) -> Option<Self> {
        let mut profile = Self::default();
        for_each_field(message.bytes(), |field, value| {
            match field {
                1 => profile.kind = value.pair()?,
                2 => profile.samples.push(value.bytes()),
                3 => profile.start = value.number(),
                4 => profile.duration = value.number(),
                _ => {}
            }
            Some(())
        })?;
        Some(profile)
    }
}

impl Sample {
    /// `None` if it is broken. Without values, each time stands for one.
    fn read(bytes: &[u8]) -> Option<Self> {
        let (mut stack, mut values, mut times) = (0, Vec::new(), 0u64);
        for_each_field(bytes, |field, value| {
            match (field, value) {
                (1, _) => stack = value.number(),
                (4, _) => value.append_to(&mut values)?,
                // Numbers of eight bytes, in a list or alone.
                (5, Value::Bytes(bytes)) => times += bytes.len() as u64 / 8,
                (5, Value::Number(_)) => times += 1,
                _ => {}
            }
            Some(())
        })?;
        let mut values: Vec<i64> = values.into_iter().map(u64::cast_signed).collect();
        if values.is_empty() {
            values.push(times.cast_signed());
        }
        Some(Self { stack: usize::try_from(stack).ok()?, values })
    }
}

impl<'b> Dictionary<'b> {
    /// Adds what is in a message: where it stands in several parts, these are one.
    fn add(&mut self, message: Value<'b>) -> Option<()> {
        for_each_field(message.bytes(), |field, value| {
            match field {
                2 => self.locations.push(location(value)?),
                3 => self.functions.push(value.pair()?.0),
                5 => self.strings.push(value.bytes()),
                7 => self.stacks.push(value.bytes()),
                _ => {}
            }
            Some(())
        })
    }

    fn string(&self, index: u64) -> String {
        let bytes = usize::try_from(index).ok().and_then(|index| self.strings.get(index));
        String::from_utf8_lossy(bytes.copied().unwrap_or_default()).into_owned()
    }

    fn metric(&self, (kind, unit): (u64, u64)) -> String {
        let kind = self.string(kind);
        if kind.is_empty() { format!("samples {}", self.string(unit)) } else { kind }
    }

    fn frame(&self, function: u64) -> String {
        let name = usize::try_from(function).ok().and_then(|at| self.functions.get(at));
        let name = name.map(|&name| self.string(name));
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| UNKNOWN.to_owned())
    }

    /// Where a stack leads.
    fn path(&self, stack: usize, builder: &mut Builder, paths: &mut Paths) -> Result<u32> {
        let mut locations = Vec::new();
        let whole = for_each_field(self.stacks[stack], |field, value| match field {
            1 => value.append_to(&mut locations),
            _ => Some(()),
        });
        whole.ok_or_else(|| Error::new("a broken stack"))?;
        if locations.is_empty() {
            return paths.child(Paths::ROOT, builder.frame(NO_STACK));
        }
        let mut at = Paths::ROOT;
        // The leaf comes first.
        for &location in locations.iter().rev() {
            let known = usize::try_from(location).ok().and_then(|at| self.locations.get(at));
            let functions = known.filter(|functions| !functions.is_empty());
            for &function in functions.map_or(&[0][..], Vec::as_slice) {
                at = paths.child(at, builder.frame(&self.frame(function)))?;
            }
        }
        Ok(at)
    }
}

/// The functions of a location, the caller in front; inlined ones stand before their callers.
fn location(message: Value<'_>) -> Option<Vec<u64>> {
    let mut functions = Vec::new();
    for_each_field(message.bytes(), |field, value| {
        if field == 3 {
            functions.push(value.pair()?.0);
        }
        Some(())
    })?;
    functions.reverse();
    Some(functions)
}
