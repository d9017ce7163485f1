//! Recordings of JDK Flight Recorder, also those that async-profiler writes.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use jfrs::reader::JfrReader;
use jfrs::reader::event::Accessor;
use profile::Profile;

use crate::error::{Error, Result};
use crate::import::builder::{Builder, Paths};
use crate::import::input::read_all;
use crate::method::Method;

/// Kinds of events with the column they count in and the field that says how
/// much; without a field each counts once.
const EVENTS: [(&str, usize, Option<&str>); 7] = [
    ("jdk.ExecutionSample", SAMPLES, None),
    ("jdk.NativeMethodSample", SAMPLES, None),
    ("jdk.CPUTimeSample", SAMPLES, None),
    ("profiler.WallClockSample", SAMPLES, Some("samples")),
    ("jdk.ObjectAllocationSample", ALLOCATED, Some("weight")),
    ("jdk.ObjectAllocationInNewTLAB", ALLOCATED, Some("tlabSize")),
    ("jdk.ObjectAllocationOutsideTLAB", ALLOCATED, Some("allocationSize")),
];
const METRICS: [&str; 2] = ["samples", "allocated"];
const SAMPLES: usize = 0;
const ALLOCATED: usize = 1;

/// Reads recordings: how often a thread was seen in a context, and how many
/// bytes it allocated there, as far as these were sampled. Threads of the same
/// name become one.
///
/// # Errors
/// If a file is no recording, or has no such events.
pub fn read(files: &[impl AsRef<Path>]) -> Result<Profile> {
    let mut builder = Builder::new(&METRICS.map(str::to_owned));
    let mut threads: Vec<(String, Paths)> = Vec::new();
    for path in files {
        let path = path.as_ref();
        let bytes = read_all(path)?;
        let wrong = |what: &str| Error::new(format!("{}: {what}", path.display()));
        check_chunks(&bytes).map_err(&wrong)?;
        // The library is not made for damaged files and may give up in ways
        // that are not its own errors.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let read = catch_unwind(AssertUnwindSafe(|| read_one(bytes, &mut builder, &mut threads)));
        std::panic::set_hook(hook);
        match read {
            Ok(Ok(0)) => return Err(wrong("no samples of executions or allocations in it")),
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return Err(wrong(&error.to_string())),
            Err(_) => return Err(wrong("the recording is damaged")),
        }
    }
    for (name, paths) in threads {
        builder.thread(name, &paths)?;
    }
    let mut profile = builder.finish("Flight Recorder");
    // What was not sampled is no metric.
    profile.nodes.metrics.retain(|metric| metric.values.iter().any(|&value| value > 0));
    Ok(profile)
}

/// Checks the headers of the chunks, because the library takes their numbers
/// for granted.
fn check_chunks(bytes: &[u8]) -> std::result::Result<(), &'static str> {
    /// Magic, version, and seven numbers of eight bytes, then two of four.
    const HEADER_LEN: usize = 68;
    let mut rest = bytes;
    if !rest.starts_with(b"FLR\0") {
        return Err("no recording of Flight Recorder");
    }
    while !rest.is_empty() {
        let header = rest.get(..HEADER_LEN).ok_or("the recording is cut short")?;
        if !header.starts_with(b"FLR\0") {
            return Err("the recording is damaged");
        }
        let number = |at: usize| {
            let bytes = header[at..].first_chunk().copied().unwrap_or_default();
            usize::try_from(u64::from_be_bytes(bytes)).unwrap_or(usize::MAX)
        };
        let (size, constants, metadata) = (number(8), number(16), number(24));
        if size > rest.len() {
            return Err("the recording is cut short");
        }
        let inside = |offset: usize| (HEADER_LEN..size).contains(&offset);
        if !inside(constants) || !inside(metadata) {
            return Err("the recording is damaged, or was never finished");
        }
        rest = &rest[size..];
    }
    Ok(())
}

fn read_one(
    bytes: Vec<u8>,
    builder: &mut Builder,
    threads: &mut Vec<(String, Paths)>,
) -> Result<u64> {
    let damaged = || Error::new("the recording is damaged");
    let mut reader = JfrReader::new(Cursor::new(bytes));
    let mut samples = 0;
    for chunk in reader.chunks() {
        let (mut reader, chunk) = chunk.map_err(|_| damaged())?;
        let mut last = None;
        for event in reader.events(&chunk) {
            let event = event.map_err(|_| damaged())?;
            // An event of no length would be read for ever.
            if last.replace(event.byte_offset).is_some_and(|last| event.byte_offset <= last) {
                return Err(damaged());
            }
            let kind = EVENTS.iter().find(|(name, ..)| *name == event.class.name());
            let Some(&(_, metric, field)) = kind else { continue };
            let value = event.value();
            let amount = field.map_or(Some(1), |field| integer(&value, field)).unwrap_or(0);
            let Some(frames) = value
                .get_field("stackTrace")
                .and_then(|trace| trace.get_field("frames"))
                .and_then(Accessor::as_iter)
            else {
                continue;
            };
            let name = thread_name(&value).unwrap_or_default();
            // The innermost frame comes first.
            let methods: Vec<u32> = frames.map(|frame| builder.method(method(&frame))).collect();
            let known = threads.iter().position(|(known, _)| *known == name);
            let known = known.unwrap_or_else(|| {
                threads.push((name, Paths::new(METRICS.len())));
                threads.len() - 1
            });
            let paths = &mut threads[known].1;
            let mut at = Paths::ROOT;
            for &method in methods.iter().rev() {
                at = paths.child(at, method)?;
            }
            if at != Paths::ROOT {
                paths.add(at, metric, amount)?;
                samples += 1;
            }
        }
    }
    Ok(samples)
}

fn thread_name(event: &Accessor<'_>) -> Option<String> {
    let thread = event.get_field("sampledThread").or_else(|| event.get_field("eventThread"))?;
    let name = text(&thread, "javaName").filter(|name| !name.is_empty());
    name.or_else(|| text(&thread, "osName"))
}

fn method(frame: &Accessor<'_>) -> Method {
    let of_frame = || {
        let method = frame.get_field("method")?;
        let class = method.get_field("type").and_then(|class| symbol(&class, "name"));
        Some(Method {
            class: crate::import::frame::class_name(&class.unwrap_or_default()),
            name: symbol(&method, "name").filter(|name| !name.is_empty())?,
            descriptor: symbol(&method, "descriptor").unwrap_or_default(),
        })
    };
    let unknown = || Method { name: "[unknown]".to_owned(), ..Method::default() };
    of_frame().unwrap_or_else(unknown)
}

/// A field that is a symbol: a text in an object.
fn symbol(value: &Accessor<'_>, field: &str) -> Option<String> {
    text(&value.get_field(field)?, "string")
}

fn text(value: &Accessor<'_>, field: &str) -> Option<String> {
    let field = value.get_field(field)?;
    <&str>::try_from(field.value).ok().map(str::to_owned)
}

fn integer(value: &Accessor<'_>, field: &str) -> Option<u64> {
    let field = value.get_field(field)?;
    let long = i64::try_from(field.value).or_else(|_| i32::try_from(field.value).map(i64::from));
    long.ok().and_then(|long| u64::try_from(long).ok())
}
