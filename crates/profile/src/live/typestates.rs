//! Typestate histories, as the metadata of a live file has them.

use std::collections::BTreeMap;

use super::catalog::Catalog;
use crate::MethodId;
use crate::dataflow::{
    Place, TypestateEdge, TypestateNode, TypestateProfile, TypestateProtocol, TypestateSite,
    TypestateState,
};

/// What was told, if anybody asked for it.
pub(super) fn read_typestates(catalog: &Catalog) -> Option<TypestateProfile> {
    let records = &catalog.dataflow;
    let totals = records.typestate_totals?;
    let place = |method, bci, line| {
        Some(Place { method: Some(MethodId(catalog.place(method)?)), bci, line })
    };
    let mut protocol_numbers = BTreeMap::new();
    let mut protocols: Vec<TypestateProtocol> = Vec::new();
    for record in records.protocols.values() {
        // A damaged file may have a protocol without its start.
        if (record.start as usize) < record.states.len() {
            protocol_numbers.insert(record.number, protocols.len() as u32);
            let states = record.states.iter().cloned();
            let states = states.map(|(name, is_leak)| TypestateState { name, is_leak }).collect();
            let (name, start) = (record.name.clone(), record.start);
            protocols.push(TypestateProtocol { name, start, states });
        }
    }
    let mut site_numbers = BTreeMap::new();
    let mut sites = Vec::new();
    for record in records.typestate_sites.values() {
        // Without the record of a method, for which there was no room, it has no name.
        if let Some(place) = place(record.method, record.bci, record.line) {
            site_numbers.insert(record.number, sites.len() as u32);
            let (class, is_obtained) = (record.class.clone(), record.is_obtained);
            sites.push(TypestateSite { place, class, is_obtained });
        }
    }
    let mut node_numbers = BTreeMap::new();
    let mut nodes = Vec::new();
    for record in records.typestate_nodes.values() {
        let (Some(&protocol), Some(place)) =
            (protocol_numbers.get(&record.protocol), place(record.method, record.bci, record.line))
        else {
            continue;
        };
        let states = protocols[protocol as usize].states.len() as u32;
        if record.before >= states || record.after >= states {
            continue;
        }
        node_numbers.insert(record.number, nodes.len() as u32);
        nodes.push(TypestateNode {
            protocol,
            site: site_numbers.get(&record.site).copied(),
            place,
            event: record.event.clone(),
            before: record.before,
            after: record.after,
        });
    }
    let mut edges = Vec::new();
    for record in records.typestate_nodes.values() {
        let Some(&to) = node_numbers.get(&record.number) else { continue };
        for &(from, count) in &record.incoming {
            let from = node_numbers.get(&from).copied();
            edges.push(TypestateEdge { from, to, count });
        }
    }
    let (lost, unfollowed) = (totals.lost, totals.unfollowed);
    Some(TypestateProfile { protocols, sites, nodes, edges, lost, unfollowed })
}
