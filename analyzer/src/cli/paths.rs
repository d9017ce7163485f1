//! Paths of calls, for people and for programs.

use std::io::Write;

use base::number::{counted, grouped};
use serde::Serialize;
use tree::Tree;
use tree::error::Result;
use tree::readable_names::{Names, columns, shorten};
use tree::views::places::{Frame, Place, folded_path};
use tree::views::region::Region;
use tree::views::way_in::Stop;

use crate::cli::json::Name;

/// The frames that are shown of the path to a place, from the top down.
/// `is_platform` says of each method of the tree whether it is the JDK's.
pub fn frames(
    region: &Region,
    is_platform: &[bool],
    inclusive: &[u64],
    place: &Place,
    names: &Names,
) -> Vec<String> {
    let path = folded_path(region, is_platform, inclusive, place.node);
    path.into_iter().map(|shown| frame(shown, names)).collect()
}

/// A frame of a path.
pub fn frame(frame: Frame, names: &Names) -> String {
    match frame {
        Frame::Method(method) => names.of(Some(method)).to_owned(),
        Frame::Folded(count) => format!("... {}", counted(count as u64, "frame")),
    }
}

/// A frame of the way into a context, with how often it is called where that is often.
pub fn stop(stop: &Stop, names: &Names) -> String {
    let frame = frame(stop.frame, names);
    match stop.calls_each {
        Some(calls) => format!("{frame} ({} times each)", grouped(calls)),
        None => frame,
    }
}

/// Writes figures and a path, which goes on on the next lines behind its arrows.
///
/// # Errors
/// If `out` fails.
pub fn write(figures: &str, frames: &[String], width: usize, out: &mut impl Write) -> Result<()> {
    write_list(figures, frames, [" > ", "> "], width, out)
}

/// Writes figures and names, the first text between them, the second at the beginning of the
/// next lines.
///
/// # Errors
/// If `out` fails.
pub fn write_list(
    figures: &str,
    frames: &[String],
    [between, next]: [&str; 2],
    width: usize,
    out: &mut impl Write,
) -> Result<()> {
    let room = width.saturating_sub(figures.len() + 2).max(24);
    let mut line = String::new();
    let mut lines = Vec::new();
    for frame in frames {
        let frame = shorten(frame, room - 2);
        let needed = columns(&line) + between.len() + columns(&frame);
        if line.is_empty() {
            line = frame;
        } else if needed <= room {
            line += between;
            line += &frame;
        } else {
            lines.push(std::mem::replace(&mut line, format!("{next}{frame}")));
        }
    }
    lines.push(line);
    for (at, line) in lines.iter().enumerate() {
        let start = if at == 0 { figures.to_owned() } else { " ".repeat(figures.len()) };
        writeln!(out, "{start}  {line}")?;
    }
    Ok(())
}

/// A place in JSON.
#[derive(Debug, Serialize)]
pub struct PlaceDocument<'a> {
    cost: u64,
    inclusive: u64,
    /// Calls of the last context; null if they were not counted.
    calls: Option<u64>,
    path: Vec<Name<'a>>,
}

impl<'a> PlaceDocument<'a> {
    /// A place of a region of the tree.
    pub fn new(tree: &'a Tree, region: &Region, place: &Place) -> Self {
        let path = region.path(place.node).into_iter();
        Self {
            cost: place.cost,
            inclusive: place.inclusive,
            calls: region.calls.get(place.node as usize).copied(),
            path: path.map(|node| Name::of(tree, Some(region.method[node as usize]))).collect(),
        }
    }
}
