//! That a value was consumed has to be said only once.
//!
//! Which instruction consumes a value does not matter to copies, so it is
//! enough to say it at the first of several that run one after the other. And
//! what is loaded from one field of one object always has the same shadow, so
//! all such loads count as one value.

use classfile::ssa::kinds::{Kind, kind};
use classfile::ssa::{Definition, ValueId};
use classfile::{BlockIndex, Instruction};
use rustc_hash::FxHashMap;

use crate::dataflow::domain::{Demand, Shadow, Source, Use};

use crate::dataflow::subject::Subject;

/// What is consumed: whatever has the same shadow within an activation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Consumed {
    Value(ValueId),
    /// Field 0 stands for the elements of an array.
    Location {
        base: ValueId,
        field: u32,
    },
    Always(u64),
}

/// Where it is said that something was consumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    block: BlockIndex,
    bci: u32,
}

/// Takes away the demands of consumers that need not say so. A value that is
/// consumed with nothing but loads, moves and computations between is noted in
/// `at_load` instead: there its shadow is known at once.
pub fn drop_repeated(
    subject: &Subject<'_>,
    shadows: &[Shadow],
    demands: &mut Vec<Demand>,
    at_load: &mut [bool],
) {
    let barriers = Barriers::new(subject);
    let mut sayings: Vec<(Place, usize)> = Vec::new();
    for (number, demand) in demands.iter().enumerate() {
        if demand.wants == Use::Consumed
            && let Some(block) = subject.cfg.block_of(demand.bci)
        {
            let bci = barriers.load_of(subject, shadows, demand, block).unwrap_or(demand.bci);
            sayings.push((Place { block, bci }, number));
        }
    }
    let dominators = subject.cfg.dominators();
    let mut ranks = vec![0; subject.cfg.blocks().len()];
    for (rank, &block) in dominators.reverse_postorder().iter().enumerate() {
        ranks[block as usize] = rank;
    }
    // A block comes behind those that dominate it.
    sayings.sort_unstable_by_key(|(place, _)| (ranks[place.block as usize], place.bci));
    let mut is_kept = vec![true; demands.len()];
    let mut said: FxHashMap<Consumed, Vec<Place>> = FxHashMap::default();
    for (place, number) in sayings {
        let demand = demands[number];
        let earlier = said.entry(consumed(shadows, demand.value)).or_default();
        let is_repeated = earlier.iter().any(|before| {
            before.block == place.block
                // A handler may be reached before it was said.
                || (subject.cfg.exception_successors(before.block).is_empty()
                    && dominators.dominates(before.block, place.block))
        });
        is_kept[number] = !is_repeated && place.bci == demand.bci;
        if !is_repeated {
            at_load[demand.value.index()] |= place.bci != demand.bci;
            earlier.push(place);
        }
    }
    let mut is_kept = is_kept.into_iter();
    demands.retain(|_| is_kept.next().unwrap_or(true));
}

fn consumed(shadows: &[Shadow], value: ValueId) -> Consumed {
    match shadows[value.index()] {
        Shadow::Dynamic(Source::Field { base, field }) => Consumed::Location { base, field },
        Shadow::Dynamic(Source::Element { base }) => Consumed::Location { base, field: 0 },
        Shadow::Static(shadow) => Consumed::Always(shadow),
        _ => Consumed::Value(value),
    }
}

/// Instructions that other code runs in, so that exceptions are to be expected.
struct Barriers {
    /// In the order of the code.
    at: Vec<u32>,
}

impl Barriers {
    fn new(subject: &Subject<'_>) -> Self {
        let is_barrier = |instruction: &Instruction<'_>| {
            matches!(
                kind(instruction.opcode),
                Kind::Call | Kind::Monitor | Kind::Throw | Kind::Allocation
            )
        };
        let at = subject.code.instructions().filter(is_barrier).map(|i| i.bci).collect();
        Self { at }
    }

    /// The last one in front of a place, 0 if there is none.
    fn before(&self, bci: u32) -> u32 {
        let behind = self.at.partition_point(|&at| at < bci);
        behind.checked_sub(1).map_or(0, |last| self.at[last])
    }

    /// The instruction that loaded a consumed value, if it stands in the same
    /// block and nothing happens in between.
    fn load_of(
        &self,
        subject: &Subject<'_>,
        shadows: &[Shadow],
        demand: &Demand,
        block: BlockIndex,
    ) -> Option<u32> {
        let is_load = matches!(
            shadows[demand.value.index()],
            Shadow::Dynamic(Source::Field { .. } | Source::Element { .. })
        );
        match subject.values.definition(demand.value) {
            Definition::Result(load)
                if is_load
                    && subject.cfg.block_of(load) == Some(block)
                    && self.before(demand.bci) <= load =>
            {
                Some(load)
            }
            _ => None,
        }
    }
}
