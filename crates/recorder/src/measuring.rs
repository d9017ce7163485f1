//! What a thread of the program executes between two moments.

use instrument::dataflow::capability::Capability;
use live::measured::Measured;

use crate::recording::Recorder;

impl Recorder {
    /// Whether it can be measured: the calls of all threads are recorded, and nothing beside
    /// that makes the program itself execute more.
    fn measures(&self) -> bool {
        let mode = &self.options.mode;
        let follows_values =
            mode.dataflow.is_some_and(|flow| flow.mode.has(Capability::FollowsValues));
        self.is_recording() && !self.is_attached() && mode.calls && !follows_values
    }

    /// Begins a measurement on the thread of a tree that has this slot, a word; 0 if nothing
    /// can be measured.
    pub fn begin_measuring(&self, tree: u32, slot: u32) -> u64 {
        let overflow = self.arena.overflow();
        if !self.measures() || tree == 0 || tree >= overflow || slot >= overflow {
            return 0;
        }
        let _view = self.arena.hold_view();
        self.meter.begin(self.arena, tree, slot).unwrap_or(0)
    }

    /// Ends it; see [`live::meter::Meter::end`].
    pub fn end_measuring(&self, tree: u32, number: u64, within: Option<&str>) -> Option<Measured> {
        let _view = self.arena.hold_view();
        let measured = self.meter.end(self.arena, tree, number, within);
        measured.filter(|_| self.measures())
    }

    /// The thread begins to link a call, which is left out of what is measured. The result is
    /// for [`Recorder::end_link`].
    pub fn begin_link(&self, tree: u32, slot: u32) -> u64 {
        let _view = self.arena.hold_view();
        self.meter.begin_link(self.arena, tree, slot)
    }

    /// It has linked it.
    pub fn end_link(&self, tree: u32, link: u64) {
        let _view = self.arena.hold_view();
        self.meter.end_link(self.arena, tree, link);
    }
}
