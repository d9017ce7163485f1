//! Writes down what was told.

use profile::metadata::Record;
use profile::typestate_records::{
    ProtocolRecord, TypestateNodeRecord, TypestateSiteRecord, TypestateTotalsRecord,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::histories::{Histories, Node, What};
use super::tables::Told;
use crate::modified_utf8;

/// Writes the records of everything that was told.
pub fn write(told: &Told<'_>, write: &dyn Fn(&Record)) {
    let histories = told.histories;
    for (number, protocol) in (1..).zip(histories.protocols()) {
        let states = protocol.states.iter();
        write(&Record::Protocol(ProtocolRecord {
            number,
            name: protocol.name.clone(),
            start: protocol.start,
            states: states.map(|state| (state.name.clone(), state.is_leak)).collect(),
        }));
    }
    let mut incoming: FxHashMap<u32, Vec<(u32, u64)>> = FxHashMap::default();
    for (edge, &count) in histories.edges().iter().zip(&told.counts) {
        if count > 0 {
            incoming.entry(edge.to).or_default().push((edge.from, count));
        }
    }
    let mut sites = FxHashSet::default();
    for (number, node) in histories.nodes() {
        let Some(incoming) = incoming.remove(&number) else { continue };
        if node.site != 0 && sites.insert(node.site) {
            site(node.site, histories, write);
        }
        if let Some(record) = record(number, node, incoming, histories) {
            write(&Record::TypestateNode(record));
        }
    }
    let (lost, unfollowed) = (histories.lost, told.unfollowed);
    write(&Record::TypestateTotals(TypestateTotalsRecord { lost, unfollowed }));
}

fn site(number: u32, histories: &Histories, write: &dyn Fn(&Record)) {
    let Some(instruction) = histories.instruction(number) else { return };
    let (class, is_obtained) = match &instruction.what {
        What::Makes(class) => (class, false),
        What::Obtains(class) => (class, true),
        What::Calls { .. } => return,
    };
    write(&Record::TypestateSite(TypestateSiteRecord {
        number,
        method: instruction.method,
        bci: instruction.bci,
        line: instruction.line,
        class: crate::plan::policy::display_name(class),
        is_obtained,
    }));
}

fn record(
    number: u32,
    node: Node,
    incoming: Vec<(u32, u64)>,
    histories: &Histories,
) -> Option<TypestateNodeRecord> {
    let instruction = histories.instruction(node.instruction)?;
    let event = match &instruction.what {
        What::Calls { name, is_reference } => {
            let suffix = node.outcome.suffix(*is_reference);
            Some(format!("{}{suffix}", modified_utf8::decode(name)))
        }
        What::Makes(_) | What::Obtains(_) => None,
    };
    Some(TypestateNodeRecord {
        number,
        protocol: node.protocol + 1,
        site: node.site,
        method: instruction.method,
        bci: instruction.bci,
        line: instruction.line,
        event,
        before: node.before,
        after: node.after,
        incoming,
    })
}
