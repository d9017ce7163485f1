//! Where a method stores its implicit slot.
//!
//! What is called next finds its node below the slot that the thread has. So a method has
//! to store one of its own before anything is called, by itself or by the JVM (which
//! makes exceptions, and loads and initialises classes). Its calls store theirs; the
//! implicit slot is stored where something else can come first: at the entry if it may be
//! needed on most ways, else only on those ways. A way that needs none has nothing to
//! restore either.

use classfile::{Code, ControlFlow, opcode};

/// Where a method stores its implicit slot.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SlotStores {
    /// At its entry, and then nowhere else.
    pub at_entry: bool,
    /// Before these instructions, in order.
    pub before: Vec<u32>,
    /// Returns at which the thread still has the caller's slot, in order.
    pub unchanged: Vec<u32>,
}

/// The first instruction of a block at which something is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstCall {
    /// A call, which stores its own slot.
    Announced,
    /// Here the JVM may call, most often because something is thrown.
    Upcall(u32),
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

impl SlotStores {
    /// At the entry.
    pub fn at_entry() -> Self {
        Self { at_entry: true, ..Self::default() }
    }

    /// Works it out from what is called first in each block.
    pub fn new(code: &Code<'_>, cfg: &ControlFlow, first_calls: &[Option<FirstCall>]) -> Self {
        if matches!(first_calls.first(), Some(Some(FirstCall::Upcall(_)))) {
            return Self::at_entry();
        }
        let mut stores = Self::default();
        let blocks = cfg.blocks().iter().zip(first_calls);
        for ((block, &first_call), whose) in blocks.zip(whose_at_start(cfg, first_calls)) {
            match (whose, first_call) {
                (Some(Whose::Callers | Whose::Either), Some(FirstCall::Upcall(bci))) => {
                    stores.before.push(bci);
                }
                (Some(Whose::Callers), None) if returns(code, block.last) => {
                    stores.unchanged.push(block.last);
                }
                _ => {}
            }
        }
        let is_in_loop = |&bci: &u32| is_in_loop(cfg, bci);
        if stores.before.len() > MOST_STORES || stores.before.iter().any(is_in_loop) {
            return Self::at_entry();
        }
        stores
    }
}

fn returns(code: &Code<'_>, bci: u32) -> bool {
    code.instruction_at(bci).is_some_and(|last| opcode::is_return(last.opcode))
}

/// True if code that follows an instruction may jump back to it, or before it.
fn is_in_loop(cfg: &ControlFlow, bci: u32) -> bool {
    let block = |index: u32| cfg.blocks().get(index as usize);
    cfg.backward_edges().any(|(source, target)| {
        let (source, target) = (block(source), block(target));
        source.zip(target).is_some_and(|(source, target)| (target.start..source.end).contains(&bci))
    })
}

/// Whose slot the thread has at the start of each block; `None` of blocks that are not
/// reached.
fn whose_at_start(
    cfg: &ControlFlow,
    first_calls: &[Option<FirstCall>],
) -> impl Iterator<Item = Option<Whose>> {
    let mut at_start = vec![None; first_calls.len()];
    let mut waiting = vec![(0, Whose::Callers)];
    while let Some((block, whose)) = waiting.pop() {
        let Some(known) = at_start.get_mut(block as usize) else { continue };
        let joined = match *known {
            Some(other) if other != whose => Whose::Either,
            _ => whose,
        };
        if *known == Some(joined) {
            continue;
        }
        *known = Some(joined);
        if matches!(first_calls.get(block as usize), Some(Some(_))) {
            // Nothing is thrown before that call, so its handlers begin with the own slot, too.
            waiting.extend(cfg.all_successors(block).map(|next| (next, Whose::Own)));
        } else {
            waiting.extend(cfg.successors(block).iter().map(|&next| (next, joined)));
        }
    }
    at_start.into_iter()
}
