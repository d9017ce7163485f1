//! Paths of calls, for people and for programs.

use std::io::Write;

use base::number::{counted, grouped};
use report::painted::Painted;
use serde::Serialize;
use tree::Tree;
use tree::error::Result;
use tree::views::folded_lines::Row;
use tree::views::folding::Frame;
use tree::views::inputs::Inputs;
use tree::views::places::Place;
use tree::views::region::Region;
use tree::views::way_in::Stop;

use crate::cli::json::Name;
use crate::cli::painted_names::PaintedNames;

/// A frame of a path.
pub fn frame(frame: Frame, names: &PaintedNames) -> Painted {
    match frame {
        Frame::Method(method) => names.of(Some(method)),
        Frame::Folded(count) => folded(count).into(),
    }
}

/// A frame of the path into a context, with the number of calls where it is high.
pub fn stop(stop: &Stop, names: &PaintedNames) -> Painted {
    with_calls(frame(stop.frame, names), stop)
}

/// This frame of the path into a context, with the number of calls where it is high.
pub fn with_calls(frame: Painted, stop: &Stop) -> Painted {
    match stop.calls_each {
        Some(calls) => frame.and(often(calls, stop.inputs)),
        None => frame,
    }
}

/// How often each call of the caller makes a call, and with how many inputs if that is known.
pub fn often(calls_each: u64, inputs: Option<Inputs>) -> String {
    let inputs = inputs.and_then(Inputs::told).map_or_else(String::new, |told| format!(", {told}"));
    format!(" ({} times each{inputs})", grouped(calls_each))
}

/// What stands for so many frames.
pub fn folded(count: usize) -> String {
    format!("... {}", counted(count as u64, "frame"))
}

/// The row of a table of so many columns that stands for lines which are folded; the method is
/// in the last column.
pub fn folded_row(columns: usize, indent: u32, count: usize) -> Vec<String> {
    let mut cells = vec![String::new(); columns - 1];
    cells.push(format!("{}{}", "  ".repeat(indent as usize), folded(count)));
    cells
}

/// Says how lines that are folded can be seen, if any are.
///
/// # Errors
/// If `out` fails.
pub fn name_folded(rows: &[Row], out: &mut impl Write) -> Result<()> {
    if rows.iter().any(|row| matches!(row, Row::Folded { .. })) {
        writeln!(out, "Frames behind '...': --wide shows them")?;
    }
    Ok(())
}

/// Writes figures and a path, which goes on on the next lines behind its arrows.
///
/// # Errors
/// If `out` fails.
pub fn write(figures: &str, frames: &[Painted], width: usize, out: &mut impl Write) -> Result<()> {
    write_list(figures, frames, [" > ", "> "], width, out)
}

/// Writes figures and names, the first text between them, the second at the beginning of the
/// next lines.
///
/// # Errors
/// If `out` fails.
pub fn write_list(
    figures: &str,
    frames: &[Painted],
    [between, next]: [&str; 2],
    width: usize,
    out: &mut impl Write,
) -> Result<()> {
    let room = width.saturating_sub(figures.len() + 2).max(24);
    let mut line = Painted::default();
    let mut lines = Vec::new();
    for frame in frames {
        let frame = frame.shortened(room - 2);
        let needed = line.columns() + between.len() + frame.columns();
        if line.text().is_empty() {
            line = frame;
        } else if needed <= room {
            line.push(&between.into());
            line.push(&frame);
        } else {
            lines.push(std::mem::replace(&mut line, Painted::from(next).and(frame)));
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
