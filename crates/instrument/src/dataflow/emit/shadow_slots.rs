//! Allocation of shadow slots, the additional locals of a method for shadows and tags:
//! by linear scan, so values whose live intervals do not overlap share a slot.

use classfile::ssa::{Definition, Origin, Position, ValueId};
use classfile::{BlockIndex, CodeEdit, Fragment, Local, LocalType, opcode};

use crate::dataflow::domain::{Shadow, Source, Use};
use crate::dataflow::shadows::Shadows;
use crate::dataflow::subject::Subject;

/// The slots of one method.
#[derive(Debug)]
pub struct ShadowSlots {
    /// For each value, the long that keeps its shadow.
    shadows: Vec<Option<Local>>,
    /// For each phi, the long that predecessors write: its incoming shadow.
    incoming: Vec<Option<Local>>,
    /// For each value, the int that keeps its object's tag.
    tags: Vec<Option<Local>>,
    /// For each value whose object constructors initialise, where they do.
    initialised: Vec<Vec<u32>>,
    all: Vec<Local>,
}

/// From where to where a value is live. Only values that are used in one block have
/// one, and may share their slots.
#[derive(Debug, Clone, Copy)]
struct LiveInterval {
    value: ValueId,
    from: u32,
    to: u32,
}

impl ShadowSlots {
    /// Allocates slots for all shadows that are demanded, and for tags that are wanted
    /// often. `bases` are objects whose tags are wanted, and where.
    pub fn new(
        subject: &Subject<'_>,
        shadows: &Shadows,
        bases: &[(u32, ValueId)],
        edit: &mut CodeEdit,
    ) -> Self {
        let count = subject.values.len();
        let mut slots = Self {
            shadows: vec![None; count],
            incoming: vec![None; count],
            tags: vec![None; count],
            initialised: vec![Vec::new(); count],
            all: Vec::new(),
        };
        slots.find_initialisations(subject);
        slots.place_shadows(subject, shadows, edit);
        slots.place_tags(subject, shadows, bases, edit);
        slots
    }

    /// The long that keeps a value's shadow.
    pub fn shadow(&self, value: ValueId) -> Option<Local> {
        self.shadows[value.index()]
    }

    /// The long that keeps the incoming shadow of a phi.
    pub fn incoming(&self, phi: ValueId) -> Option<Local> {
        self.incoming[phi.index()]
    }

    /// The int that keeps the tag of a value's object.
    pub fn tag(&self, value: ValueId) -> Option<Local> {
        self.tags[value.index()]
    }

    /// Where constructors initialise a value's object.
    pub fn initialised(&self, value: ValueId) -> &[u32] {
        &self.initialised[value.index()]
    }

    /// Gives all locals their first value.
    pub fn initial(&self) -> Fragment {
        self.all.iter().fold(Fragment::new(), |fragment, &local| match local.kind() {
            LocalType::Long => fragment.simple(opcode::LCONST_0).store_long(local),
            _ => fragment.simple(opcode::ICONST_0).store_int(local),
        })
    }

    fn new_local(&mut self, kind: LocalType, edit: &mut CodeEdit) -> Local {
        let local = edit.new_local(kind);
        self.all.push(local);
        local
    }

    fn find_initialisations(&mut self, subject: &Subject<'_>) {
        for operation in subject.values.operations() {
            let Some(instruction) = subject.code.instruction_at(operation.bci) else { continue };
            if instruction.opcode == opcode::INVOKESPECIAL
                && let Some(named) = instruction
                    .pool_index()
                    .and_then(|index| subject.code.constant_pool().member_ref(index).ok())
                && named.name == b"<init>"
                && let Some(made) = operation.operands.first()
            {
                self.initialised[made.index()].push(operation.bci);
            }
        }
    }

    fn place_shadows(&mut self, subject: &Subject<'_>, shadows: &Shadows, edit: &mut CodeEdit) {
        let values = &subject.values;
        let uses = last_uses(subject, shadows);
        let mut intervals = Vec::new();
        for value in values.ids() {
            match shadows.kept(value) {
                None => {}
                Some(Source::Merged) => {
                    self.shadows[value.index()] = Some(self.new_local(LocalType::Long, edit));
                    self.incoming[value.index()] = Some(self.new_local(LocalType::Long, edit));
                }
                Some(_) => match self.interval(subject, value, uses[value.index()]) {
                    Some(interval) => intervals.push(interval),
                    None => {
                        self.shadows[value.index()] = Some(self.new_local(LocalType::Long, edit));
                    }
                },
            }
        }
        intervals.sort_unstable_by_key(|interval| interval.from);
        // Slots, each with the end of the last interval that it was given to.
        let mut shared: Vec<(u32, Local)> = Vec::new();
        for interval in intervals {
            let free = shared.iter_mut().find(|(until, _)| *until < interval.from);
            let local = match free {
                Some((until, local)) => {
                    *until = interval.to;
                    *local
                }
                None => {
                    let local = self.new_local(LocalType::Long, edit);
                    shared.push((interval.to, local));
                    local
                }
            };
            self.shadows[interval.value.index()] = Some(local);
        }
    }

    /// From where to where a value is live, if that is in one block.
    fn interval(&self, subject: &Subject<'_>, value: ValueId, uses: Uses) -> Option<LiveInterval> {
        let Definition::Result(bci) = subject.values.definition(value) else { return None };
        let block = subject.cfg.block_of(bci)?;
        let is_within = match uses {
            Uses::Nowhere => true,
            Uses::Within(used, _) => used == block,
            Uses::Everywhere => false,
        };
        let initialised = self.initialised(value);
        let known_here = initialised.iter().all(|&at| subject.cfg.block_of(at) == Some(block));
        if !is_within || !known_here {
            return None;
        }
        let last = match uses {
            Uses::Within(_, last) => last,
            _ => bci,
        };
        let to = initialised.iter().copied().max().unwrap_or(bci).max(last);
        Some(LiveInterval { value, from: bci, to })
    }

    fn place_tags(
        &mut self,
        subject: &Subject<'_>,
        shadows: &Shadows,
        bases: &[(u32, ValueId)],
        edit: &mut CodeEdit,
    ) {
        let mut times: Vec<(u32, u32)> = vec![(0, 0); subject.values.len()];
        for &(bci, base) in bases {
            let (count, depth) = &mut times[base.index()];
            *count += 1;
            *depth = (*depth).max(subject.depth_at(bci));
        }
        for value in subject.values.ids() {
            let (count, depth) = times[value.index()];
            if count == 0 {
                continue;
            }
            let defined_in = match subject.values.definition(value) {
                Definition::Parameter(_) => 0,
                Definition::Result(bci) if self.is_on_top(subject, shadows, value, bci) => {
                    subject.depth_at(bci)
                }
                Definition::Phi { block, position: Position::Local(_) } => subject.depth(block),
                _ => continue,
            };
            if count > 1 || depth > defined_in {
                self.tags[value.index()] = Some(self.new_local(LocalType::Int, edit));
            }
        }
    }

    /// True if the object is on top of the stack where it becomes known.
    fn is_on_top(
        &self,
        subject: &Subject<'_>,
        shadows: &Shadows,
        value: ValueId,
        bci: u32,
    ) -> bool {
        let is_new =
            subject.code.instruction_at(bci).is_some_and(|made| made.opcode == opcode::NEW);
        !is_new || shadows.of(value) != Shadow::NONE
    }
}

/// Where a value is used last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Uses {
    Nowhere,
    /// In one block only; the last instruction that does.
    Within(BlockIndex, u32),
    Everywhere,
}

impl Uses {
    fn add(&mut self, block: BlockIndex, bci: u32) {
        *self = match *self {
            Self::Nowhere => Self::Within(block, bci),
            Self::Within(same, last) if same == block => Self::Within(block, last.max(bci)),
            _ => Self::Everywhere,
        };
    }
}

/// Where each value's shadow is used last.
fn last_uses(subject: &Subject<'_>, shadows: &Shadows) -> Vec<Uses> {
    let values = &subject.values;
    let mut uses = vec![Uses::Nowhere; values.len()];
    for demand in shadows.demands.iter().filter(|demand| demand.wants != Use::Nothing) {
        match subject.cfg.block_of(demand.bci) {
            Some(block) => uses[demand.value.index()].add(block, demand.bci),
            None => uses[demand.value.index()] = Uses::Everywhere,
        }
    }
    for phi in values.phis().filter(|&phi| shadows.kept(phi).is_some()) {
        for input in values.inputs(phi) {
            let uses = &mut uses[input.value.index()];
            match input.origin {
                Origin::Block(block) => uses.add(block, subject.cfg.blocks()[block as usize].last),
                Origin::Before(bci) => match subject.cfg.block_of(bci) {
                    Some(block) => uses.add(block, bci),
                    None => *uses = Uses::Everywhere,
                },
                Origin::Entry => *uses = Uses::Everywhere,
            }
        }
    }
    uses
}
