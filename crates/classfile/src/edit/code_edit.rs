//! What is to be done to the code of one method.

use super::fragment::{Fragment, Local, LocalType};
use super::output::put_piece;
use super::refusal::Refusal;
use crate::read::code::Code;
use crate::read::opcode;
use std::ops::Range;

/// A list of insertions into the code of one method.
///
/// All positions are those of the code as it was. The edit is carried out by
/// [`ClassEditor::edit_code`](crate::ClassEditor::edit_code).
#[derive(Clone, Debug, Default)]
pub struct CodeEdit {
    old_max_locals: u16,
    code_length: u32,
    /// Where the `Code` attribute lies in the class file.
    info: Range<usize>,
    next_local: u32,
    locals: Vec<LocalType>,
    insertions: Vec<Insertion>,
    /// The bytes of all fragments.
    bytes: Vec<u8>,
    handlers: Vec<Handler>,
    landing_pads: Vec<LandingPad>,
    /// The ranges of all handlers and landing pads.
    ranges: Vec<Range<u32>>,
    /// Whether `insertions` is ordered already, as it is when the user walks
    /// the code once.
    is_sorted: bool,
    /// Words needed on an empty stack.
    entry_peak: u32,
    /// Words needed on top of whatever the method has on the stack.
    inner_peak: u32,
}

/// When an inserted fragment runs, relative to its instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Phase {
    /// Once per call, never by a jump, before all others.
    Start,
    /// Once per call, never by a jump.
    Entry,
    /// Whenever the instruction is about to run.
    Before,
    /// When the instruction falls through.
    After,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Insertion {
    pub(crate) bci: u32,
    pub(crate) phase: Phase,
    /// Whether it has a way around it, which joins it at its end.
    pub(crate) is_optional: bool,
    start: u32,
    end: u32,
}

impl Insertion {
    fn key(&self) -> (u32, Phase) {
        (self.bci, self.phase)
    }
}

/// What an appended handler knows about the local variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandlerFrame {
    /// The variables that the edit added, and nothing else.
    NewLocalsOnly,
    /// As above, and `this`, not yet initialised, in slot 0: for the part of
    /// a constructor before it calls `this(...)` or `super(...)`.
    UninitializedThis,
}

/// Which entry of the exception table a landing pad leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Catcher {
    /// An entry of the method as it was, by its number.
    Row(u16),
    /// A handler of the edit, by the number that
    /// [`CodeEdit::catch_all`] gave it.
    Appended(u16),
}

/// Code that an exception runs between the instruction that throws it and the
/// handler that catches it.
#[derive(Clone, Debug)]
pub(crate) struct LandingPad {
    pub(crate) catcher: Catcher,
    /// What its code throws is caught like what led to it.
    pub(crate) is_guarded: bool,
    /// Which of `ranges`.
    ranges: Range<usize>,
    /// Which of `bytes`.
    code: Range<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Handler {
    pub(crate) frame: HandlerFrame,
    /// Which of `ranges`.
    ranges: Range<usize>,
    /// Which of `bytes`.
    code: Range<usize>,
}

impl CodeEdit {
    /// An edit that does nothing yet.
    pub fn new(code: &Code<'_>) -> CodeEdit {
        let mut edit = CodeEdit::default();
        edit.restart(code);
        edit
    }

    /// Forgets everything and starts again for another method, keeping the
    /// memory.
    pub fn restart(&mut self, code: &Code<'_>) {
        self.old_max_locals = code.max_locals();
        self.code_length = code.length();
        self.info = code.info_range();
        self.next_local = code.max_locals().into();
        self.locals.clear();
        self.insertions.clear();
        self.bytes.clear();
        self.handlers.clear();
        self.landing_pads.clear();
        self.ranges.clear();
        self.is_sorted = true;
        self.entry_peak = 0;
        self.inner_peak = 0;
    }

    /// Whether nothing was asked for.
    pub fn is_empty(&self) -> bool {
        self.insertions.is_empty()
            && self.handlers.is_empty()
            && self.landing_pads.is_empty()
            && self.locals.is_empty()
    }

    /// Adds a local variable behind those of the method.
    ///
    /// It is declared in every stack map frame, so the entry fragment must
    /// assign it, before anything that can throw into a handler or jump.
    pub fn new_local(&mut self, kind: LocalType) -> Local {
        // An index beyond 65,535 is refused when the edit is carried out.
        let index = self.next_local as u16;
        self.next_local = self.next_local.saturating_add(kind.words().into());
        self.locals.push(kind);
        Local { index, kind }
    }

    fn keep(&mut self, fragment: &Fragment) -> Range<usize> {
        let start = self.bytes.len();
        fragment.append_to(&mut self.bytes);
        start..self.bytes.len()
    }

    fn insert(&mut self, bci: u32, phase: Phase, fragment: &Fragment, is_optional: bool) {
        let code = self.keep(fragment);
        let (start, end) = (code.start as u32, code.end as u32);
        let insertion = Insertion { bci, phase, is_optional, start, end };
        if let Some(last) = self.insertions.last()
            && last.key() > insertion.key()
        {
            self.is_sorted = false;
        }
        self.insertions.push(insertion);
        match phase {
            Phase::Start | Phase::Entry => self.entry_peak = self.entry_peak.max(fragment.peak()),
            _ => self.inner_peak = self.inner_peak.max(fragment.peak()),
        }
    }

    /// Inserts code that runs once per call, before the instruction at bci 0;
    /// a jump back to bci 0 does not run it.
    ///
    /// Several fragments at one place run in the order in which they were
    /// added; this holds for the other insertions too.
    pub fn at_entry(&mut self, fragment: impl AsRef<Fragment>) {
        self.insert(0, Phase::Entry, fragment.as_ref(), false);
    }

    /// Inserts code that runs before what [`at_entry`](Self::at_entry) inserts,
    /// whichever is added first.
    pub fn at_start(&mut self, fragment: impl AsRef<Fragment>) {
        self.insert(0, Phase::Start, fragment.as_ref(), false);
    }

    /// Inserts code that runs whenever the instruction at `bci` is about to
    /// run, also when it is jumped to.
    ///
    /// Handlers of the method that cover the instruction cover the inserted
    /// code too, with one exception: a handler that covers its own first
    /// instruction does not cover what is inserted there.
    pub fn before(&mut self, bci: u32, fragment: impl AsRef<Fragment>) {
        self.insert(bci, Phase::Before, fragment.as_ref(), false);
    }

    /// Inserts code that runs only when the instruction at `bci` completes
    /// normally and falls through; jumps to the next instruction do not run
    /// it. It comes before what is inserted before the next instruction.
    ///
    /// Behind instructions that never fall through nothing is inserted.
    /// Behind `jsr` the code runs when the subroutine returns.
    pub fn after(&mut self, bci: u32, fragment: impl AsRef<Fragment>) {
        self.insert(bci, Phase::After, fragment.as_ref(), false);
    }

    /// As [`after`](Self::after), unless a condition leaves something else than
    /// 0 on the stack. The fragment must leave the stack as it finds it.
    ///
    /// The end of the fragment is a jump target, so it gets a stack map frame,
    /// derived from the code before it.
    ///
    /// # Errors
    /// When the fragment is too long to be jumped over.
    pub fn after_unless(
        &mut self,
        bci: u32,
        condition: Fragment,
        fragment: impl AsRef<Fragment>,
    ) -> Result<(), Refusal> {
        let fragment = fragment.as_ref();
        let mut body = Vec::new();
        fragment.append_to(&mut body);
        // Distances count from the opcode of the jump.
        let length = body.len() + 3;
        let too_large = Refusal::CodeTooLarge { length: length as u32 };
        let [high, low] = i16::try_from(length).map_err(|_| too_large)?.to_be_bytes();
        let guarded = condition.raw(&[opcode::IFNE, high, low], -1);
        let words = u16::try_from(fragment.peak()).map_err(|_| Refusal::StackTooDeep)?;
        self.insert(bci, Phase::After, &guarded.reserve(words).raw(&body, 0), true);
        Ok(())
    }

    /// Appends a handler for everything thrown in `range` that no handler of
    /// the method itself catches.
    ///
    /// It starts with the exception alone on the stack and must not run off
    /// its end. Code inserted at instructions in the range is covered, the
    /// entry fragment never is, even if the range starts at 0. Returns the
    /// handler's number.
    pub fn catch_all(
        &mut self,
        range: Range<u32>,
        frame: HandlerFrame,
        fragment: impl AsRef<Fragment>,
    ) -> Catcher {
        self.catch_all_ranges(&[range], frame, fragment)
    }

    /// As [`CodeEdit::catch_all`], for several ranges that share one handler.
    pub fn catch_all_ranges(
        &mut self,
        ranges: &[Range<u32>],
        frame: HandlerFrame,
        fragment: impl AsRef<Fragment>,
    ) -> Catcher {
        let fragment = fragment.as_ref();
        let number = self.handlers.len() as u16;
        let code = self.keep(fragment);
        let ranges = self.keep_ranges(ranges);
        self.handlers.push(Handler { frame, ranges, code });
        self.entry_peak = self.entry_peak.max(fragment.peak().saturating_add(1));
        Catcher::Appended(number)
    }

    /// Adds a landing pad, as LLVM calls code that an exception reaches before
    /// its handler: exceptions from `ranges` that `catcher` would catch run the
    /// fragment first.
    ///
    /// Only what the catcher covers is affected, so ranges should not reach
    /// beyond it. The fragment starts with the exception alone on the stack,
    /// and leaves it so at its end. It is covered by no handler, so it should
    /// not throw where a monitor is held.
    pub fn landing_pad(
        &mut self,
        ranges: &[Range<u32>],
        catcher: Catcher,
        fragment: impl AsRef<Fragment>,
    ) {
        self.add_landing_pad(ranges, (catcher, false), fragment.as_ref());
    }

    /// Adds a landing pad whose own exceptions go to the same entry of the
    /// exception table, or where the first instruction of its handler would
    /// lead if the entry does not catch everything.
    ///
    /// HotSpot compiles no method in which it cannot see that each monitor that
    /// is entered is left, whatever calls in between may throw.
    pub fn guarded_landing_pad(
        &mut self,
        ranges: &[Range<u32>],
        catcher: Catcher,
        fragment: impl AsRef<Fragment>,
    ) {
        self.add_landing_pad(ranges, (catcher, true), fragment.as_ref());
    }

    fn add_landing_pad(
        &mut self,
        ranges: &[Range<u32>],
        (catcher, is_guarded): (Catcher, bool),
        fragment: &Fragment,
    ) {
        let code = self.keep(fragment);
        let ranges = self.keep_ranges(ranges);
        self.landing_pads.push(LandingPad { catcher, is_guarded, ranges, code });
        self.entry_peak = self.entry_peak.max(fragment.peak().saturating_add(1));
    }

    fn keep_ranges(&mut self, ranges: &[Range<u32>]) -> Range<usize> {
        let start = self.ranges.len();
        self.ranges.extend(ranges.iter().filter(|range| !range.is_empty()).cloned());
        start..self.ranges.len()
    }

    /// The insertions ordered by place, keeping the order at each place.
    pub(crate) fn ordered_insertions<'e>(
        &'e self,
        sorted: &'e mut Vec<Insertion>,
    ) -> &'e [Insertion] {
        if self.is_sorted {
            return &self.insertions;
        }
        sorted.clone_from(&self.insertions);
        sorted.sort_by_key(Insertion::key);
        sorted
    }

    /// Appends the code of an insertion.
    #[inline]
    pub(crate) fn put_fragment(&self, insertion: &Insertion, out: &mut Vec<u8>) {
        put_piece(out, &self.bytes, insertion.start as usize, insertion.end as usize);
    }

    pub(crate) fn handlers(&self) -> &[Handler] {
        &self.handlers
    }

    pub(crate) fn handler_code(&self, handler: &Handler) -> &[u8] {
        self.bytes.get(handler.code.clone()).unwrap_or_default()
    }

    pub(crate) fn handler_ranges(&self, handler: &Handler) -> &[Range<u32>] {
        self.ranges.get(handler.ranges.clone()).unwrap_or_default()
    }

    pub(crate) fn landing_pads(&self) -> &[LandingPad] {
        &self.landing_pads
    }

    pub(crate) fn landing_pad_code(&self, landing_pad: &LandingPad) -> &[u8] {
        self.bytes.get(landing_pad.code.clone()).unwrap_or_default()
    }

    pub(crate) fn landing_pad_ranges(&self, landing_pad: &LandingPad) -> &[Range<u32>] {
        self.ranges.get(landing_pad.ranges.clone()).unwrap_or_default()
    }

    pub(crate) fn new_locals(&self) -> &[LocalType] {
        &self.locals
    }

    pub(crate) fn old_max_locals(&self) -> u16 {
        self.old_max_locals
    }

    /// `max_locals` with the new variables, possibly beyond what a `u2` holds.
    pub(crate) fn max_locals(&self) -> u32 {
        self.next_local
    }

    /// `max_stack` for code that needed `old` words before.
    pub(crate) fn max_stack(&self, old: u16) -> u32 {
        u32::from(old).saturating_add(self.inner_peak).max(self.entry_peak)
    }

    /// Where the `Code` attribute that the edit was made for lies.
    pub(crate) fn info_range(&self) -> Range<usize> {
        self.info.clone()
    }

    /// Whether the edit was made for code of this shape.
    pub(crate) fn fits(&self, code: &Code<'_>) -> bool {
        self.code_length == code.length() && self.old_max_locals == code.max_locals()
    }
}
