//! Paths through a region, for people and for programs.

use analyzer::report::name::Names;
use analyzer::report::number::counted;
use analyzer::tree::Tree;
use analyzer::views::places::{Frame, Place, folded_path};
use analyzer::views::region::Region;
use serde::Serialize;

use crate::cli::json::Name;

/// The frames that are shown of the path to a place, from the top down.
pub fn frames(region: &Region, inclusive: &[u64], place: &Place, names: &Names) -> Vec<String> {
    let frames = folded_path(region, inclusive, place.node).into_iter().map(|frame| match frame {
        Frame::Method(method) => names.of(Some(method)).to_owned(),
        Frame::Folded(count) => format!("... {}", counted(count as u64, "frame")),
    });
    frames.collect()
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
