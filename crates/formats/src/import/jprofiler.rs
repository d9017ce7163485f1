//! JProfiler's call tree, exported as XML.

use std::path::Path;

use profile::Profile;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use crate::import::allowance::Allowance;
use crate::import::builder::{Builder, Paths};
use crate::import::input::{Pieces, open_counted};
use tree::error::{Error, Result};
use tree::names::method::Method;

/// What profiles say that they were imported from.
pub const FORMAT: &str = "JProfiler's call tree";

/// Reads files, each into a thread of its own: the times of contexts without
/// what they call, in the unit of the file, and their calls.
///
/// # Errors
/// If a file is not such an export.
pub fn read(files: &[impl AsRef<Path>]) -> Result<Profile> {
    let mut builder = Builder::new(&["time".to_owned(), "calls".to_owned()]);
    let allowance = Allowance::default();
    for path in files {
        let path = path.as_ref();
        let input = Pieces::new(open_counted(path, &allowance)?);
        let mut reader = quick_xml::Reader::from_reader(input);
        let mut paths = Paths::new(2, &allowance);
        let mut open: Vec<Open> = Vec::new();
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            reader.get_mut().begin();
            let wrong = |what: String| Error::new(format!("{}: {what}", path.display()));
            let event = reader.read_event_into(&mut bytes);
            let offset = reader.buffer_position();
            match event.map_err(|e| wrong(format!("no XML at byte {offset}: {e}")))? {
                Event::Start(tag) if tag.name().as_ref() == "node" => {
                    let node = node(&tag)
                        .ok_or_else(|| wrong(format!("a broken node at byte {offset}")))?;
                    enter(node, &mut builder, &mut paths, &mut open)
                        .map_err(|error| error.of_file(path))?;
                }
                Event::Empty(tag) if tag.name().as_ref() == "node" => {
                    let node = node(&tag)
                        .ok_or_else(|| wrong(format!("a broken node at byte {offset}")))?;
                    enter(node, &mut builder, &mut paths, &mut open)
                        .map_err(|error| error.of_file(path))?;
                    leave(&mut paths, &mut open)?;
                }
                Event::End(tag) if tag.name().as_ref() == "node" => leave(&mut paths, &mut open)?,
                Event::Eof if open.is_empty() => break,
                Event::Eof => return Err(wrong("it is cut short".to_owned())),
                _ => {}
            }
        }
        if paths.is_empty() {
            return Err(Error::new(format!("{}: no call tree of JProfiler in it", path.display())));
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        builder.thread(name, &paths)?;
    }
    Ok(builder.finish(FORMAT))
}

/// A node whose callees are being read.
struct Open {
    at: u32,
    /// Its time without what it calls, if the file says that.
    own: Option<u64>,
    /// Its time with all that it calls.
    time: u64,
    /// The time of the callees read so far.
    callees: u64,
}

/// What a node says.
struct Node {
    method: Method,
    time: u64,
    /// Callees that took little may be left out of the file, so that it cannot
    /// be told from `time`.
    own: Option<u64>,
    calls: u64,
}

fn node(tag: &BytesStart<'_>) -> Option<Node> {
    let mut node = Node { method: Method::default(), time: 0, own: None, calls: 0 };
    for attribute in tag.attributes() {
        let attribute = attribute.ok()?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
        match attribute.key.as_ref() {
            "class" => node.method.class = value.into_owned(),
            "methodName" | "method" => node.method.name = value.into_owned(),
            "methodSignature" => node.method.descriptor = value.into_owned(),
            "time" => node.time = value.parse().ok()?,
            "selfTime" => node.own = Some(value.parse().ok()?),
            "count" => node.calls = value.parse().ok()?,
            _ => {}
        }
    }
    (!node.method.name.is_empty()).then_some(node)
}

fn enter(node: Node, builder: &mut Builder, paths: &mut Paths, open: &mut Vec<Open>) -> Result<()> {
    let caller = open.last_mut().map_or(Paths::ROOT, |caller| {
        caller.callees = caller.callees.saturating_add(node.time);
        caller.at
    });
    let at = paths.child(caller, builder.method(node.method))?;
    paths.add(at, 1, node.calls)?;
    open.push(Open { at, own: node.own, time: node.time, callees: 0 });
    Ok(())
}

fn leave(paths: &mut Paths, open: &mut Vec<Open>) -> Result<()> {
    match open.pop() {
        // Times are rounded, so callees may seem to take longer.
        Some(node) => {
            paths.add(node.at, 0, node.own.unwrap_or(node.time.saturating_sub(node.callees)))
        }
        None => Ok(()),
    }
}
