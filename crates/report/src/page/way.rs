//! The way into a context, as a page has it.

use tree::views::folding::Frame;
use tree::views::inputs::Inputs;
use tree::views::way_in::Stop;

use crate::page::count::Count;
use crate::page::listing::Listing;

/// A frame: the number of its method; a negative number is so many frames that are folded. Then
/// how often each call of the one before calls it, if that is often, and with how many inputs.
pub type Step = (i64, Option<Count>, Option<String>);

/// The frames of a way; `None` if a method of them is not listed.
pub fn way(stops: &[Stop], listing: &Listing<'_>) -> Option<Vec<Step>> {
    let step = |stop: &Stop| {
        let frame = match stop.frame {
            Frame::Method(method) => i64::from(listing.number(method)?),
            Frame::Folded(frames) => -(frames as i64),
        };
        Some((frame, stop.calls_each.map(Count), stop.inputs.and_then(Inputs::told)))
    };
    stops.iter().map(step).collect()
}
