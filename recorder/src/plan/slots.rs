//! Where a method stores its implicit slot.
//!
//! What is called next finds its node below the slot that the thread has. So a method has
//! to store one of its own before anything is called, by itself or by the JVM (which
//! makes exceptions, and loads and initialises classes). Its calls store theirs; the
//! implicit slot is stored where something else can come first: at the entry if it may be
//! needed on most ways, else only on those ways. A way that needs none has nothing to
//! restore either.

use classfile::{Code, ControlFlow, opcode};

use super::call_sites::{Callee, Site};
use super::throws::{Receiver, can_throw};

/// Where a method stores its implicit slot.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SlotStores {
    /// At its entry, and then nowhere else.
    pub at_entry: bool,
    /// Before these instructions, in order.
    pub before: Vec<u32>,
    /// Returns at which the thread still has the caller's slot, in order.
    unchanged: Vec<u32>,
}

/// If there were more of them, one at the entry takes their place: code that is large is
/// compiled later, and copied into fewer callers.
const MOST_STORES: usize = 2;

/// Whose slot the thread has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    Callers,
    Own,
    /// That depends on the way.
    Either,
}

struct Flow<'f, 'c> {
    code: &'f Code<'c>,
    cfg: &'f ControlFlow,
    sites: &'f [Site],
    /// At the start of the code.
    receiver: &'f Receiver,
    /// At the start of each block that was reached.
    at_start: Vec<Option<Whose>>,
}

impl SlotStores {
    /// At the entry.
    pub fn at_entry() -> Self {
        Self { at_entry: true, ..Self::default() }
    }

    /// Works it out. `receiver` stands at the start of the code.
    pub fn new(code: &Code<'_>, cfg: &ControlFlow, sites: &[Site], receiver: &Receiver) -> Self {
        let at_start = vec![None; cfg.blocks().len()];
        let mut flow = Flow { code, cfg, sites, receiver, at_start };
        flow.solve();
        let mut stores = Self::default();
        for block in 0..flow.at_start.len() {
            flow.pass(block as u32, &mut stores);
        }
        let first_end = cfg.blocks().first().map_or(0, |block| block.end);
        let is_frequent = |&bci: &u32| bci < first_end || is_in_loop(cfg, bci);
        if stores.before.len() > MOST_STORES || stores.before.iter().any(is_frequent) {
            return Self::at_entry();
        }
        stores
    }

    /// True if the thread still has the caller's slot at this return.
    pub fn leave_unchanged(&self, bci: u32) -> bool {
        self.unchanged.binary_search(&bci).is_ok()
    }
}

/// True if code that follows an instruction may jump back to it, or before it.
fn is_in_loop(cfg: &ControlFlow, bci: u32) -> bool {
    let block = |index: u32| cfg.blocks().get(index as usize);
    cfg.backward_edges().any(|(source, target)| {
        let (source, target) = (block(source), block(target));
        source.zip(target).is_some_and(|(source, target)| (target.start..source.end).contains(&bci))
    })
}

impl Whose {
    fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Either }
    }
}

impl Flow<'_, '_> {
    /// Finds what each block starts with. What was found first is never taken back, only
    /// joined: `Either` is right whatever turns out.
    fn solve(&mut self) {
        let Some(entry) = self.at_start.first_mut() else { return };
        *entry = Some(Whose::Callers);
        let mut waiting = vec![0];
        while let Some(block) = waiting.pop() {
            for (successor, whose) in self.pass(block, &mut SlotStores::default()) {
                let Some(known) = self.at_start.get_mut(successor as usize) else { continue };
                let joined = known.map_or(whose, |known| known.join(whose));
                if *known != Some(joined) {
                    *known = Some(joined);
                    waiting.push(successor);
                }
            }
        }
    }

    /// Goes through a block and notes what is to be done in it. Gives what its successors
    /// start with; whatever throws has stored a slot before.
    fn pass(&self, block: u32, stores: &mut SlotStores) -> Vec<(u32, Whose)> {
        let bounds = self.cfg.blocks().get(block as usize);
        let known = self.at_start.get(block as usize).copied().flatten();
        let Some((bounds, mut whose)) = bounds.zip(known) else { return Vec::new() };
        let mut receiver = self.receiver.clone();
        receiver.enter_block();
        let mut throws = false;
        let mut at = bounds.start;
        while at < bounds.end
            && let Some(instruction) = self.code.instruction_at(at)
        {
            if self.says_where_it_is(at) {
                (whose, throws) = (Whose::Own, true);
            } else if can_throw(self.code, &instruction, &receiver) {
                throws = true;
                if whose != Whose::Own {
                    whose = Whose::Own;
                    stores.before.push(at);
                }
            } else if opcode::is_return(instruction.opcode) && whose == Whose::Callers {
                stores.unchanged.push(at);
            }
            receiver.step(self.code, &instruction);
            at = instruction.end();
        }
        let next = self.cfg.successors(block).iter().map(|&next| (next, whose));
        let handlers = self.cfg.exception_successors(block).iter().filter(|_| throws);
        next.chain(handlers.map(|&handler| (handler, Whose::Own))).collect()
    }

    /// True for a call that stores its own slot.
    fn says_where_it_is(&self, bci: u32) -> bool {
        let place = self.sites.binary_search_by_key(&bci, |site| site.bci);
        let site = place.ok().and_then(|place| self.sites.get(place));
        site.is_some_and(|site| matches!(site.callee, Callee::Probed | Callee::Plain(_)))
    }
}
