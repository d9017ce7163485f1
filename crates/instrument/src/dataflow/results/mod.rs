//! What methods return for the same input (Bergel et al. 2012, section 5): candidates for caching.
//!
//! No values are followed. [`code`] tells of inputs, results and writes, the probes keep
//! tables of them for each thread, whose memory [`threads`] has, and
//! [`results`](online::results) adds up.

mod code;
pub mod layouts;
pub mod probes;
pub mod threads;

use arena::Arena;
use classfile::{Code, CodeEdit, Fragment, LocalType, PoolExtension, Refusal, opcode};
use profile::metadata::Record;

use super::capability::Capability;
use super::methods::follow::{Followed, Following, Obstacle};
use super::methods::leaving::{Counting, Leaving};
use super::mode::{DataflowMode, DataflowOptions};
use super::objects::tags;
use super::tables::{Graph, Tables};
use crate::modified_utf8;
use crate::plan::{Body, policy};
use crate::probe::members::Family;
use crate::probe::{Access, RuntimeClass};
use code::Role;
use live::thread_trees::ThreadTrees;
use threads::ResultTables;

/// `mode=results`.
#[derive(Debug)]
pub struct ResultsMode;

/// The runtime classes behind the probes.
const RUNTIME_CLASSES: &[RuntimeClass] = &[
    RuntimeClass::new("SubsumeTags"),
    RuntimeClass::new("SubsumeIdentities"),
    RuntimeClass::new("SubsumeInputs"),
    RuntimeClass::new("SubsumeStructures"),
    RuntimeClass::new("SubsumeResultTables"),
    RuntimeClass::new("SubsumeResultFrames"),
    RuntimeClass::new("SubsumeResultEntries"),
    RuntimeClass::initialised_by(
        "SubsumeResults",
        "canFollow",
        "java.lang.SubsumeResults cannot be initialised",
    ),
];

/// How probes count the bytecodes of a thread.
const COUNTING: Counting = Counting { polled: &probes::POLLED, flushed: &probes::COUNTED };

impl DataflowMode for ResultsMode {
    fn name(&self) -> &'static str {
        "results"
    }

    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::RecordsCalls, Capability::ComparesResults]
    }

    fn families(&self) -> &'static [Family] {
        &[probes::FAMILY]
    }

    fn runtime_classes(&self) -> &'static [&'static [RuntimeClass]] {
        &[tags::RUNTIME_CLASSES, RUNTIME_CLASSES]
    }

    fn thread_tables(&self) -> &'static [&'static str] {
        &["results"]
    }

    fn tables(
        &self,
        _: &Arena,
        options: DataflowOptions,
        _: u32,
        memory: Option<u64>,
    ) -> Option<Tables> {
        Some(Box::new(ResultTables::new(memory, options.most_calls, options.deep)))
    }

    fn enter(
        &self,
        (code, body): (&Code<'_>, Body),
        access: Access,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<Option<Leaving>, Refusal> {
        let role = Role::of(code, body);
        let counts = Some(COUNTING);
        if role == Role::Counted {
            let probe = &probes::COUNTED;
            return Ok(Some(Leaving { local: None, probe, counts, tells_results: false }));
        }
        let frame = edit.new_local(LocalType::Long);
        let fragment = match role {
            Role::Suspended => access.call(Fragment::new(), &probes::SUSPEND, pool)?,
            _ => Fragment::new().simple(opcode::LCONST_0),
        };
        edit.at_entry(fragment.store_long(frame));
        let tells_results = role == Role::Told;
        Ok(Some(Leaving { local: Some(frame), probe: &probes::LEFT, counts, tells_results }))
    }

    fn follow(
        &self,
        followed: Followed<'_>,
        following: &Following<'_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<(), Obstacle> {
        let Some(tables) = following.graph.tables::<ResultTables>() else { return Ok(()) };
        let Followed { code, plan, number, .. } = followed;
        let role = Role::of(code, plan.body);
        if role == Role::Suspended || plan.body == Body::WithoutProbes {
            return Ok(());
        }
        let frame = followed.leaving.and_then(|leaving| leaving.local);
        let mut deep = None;
        if role == Role::Told {
            let (has_receivers, keeps_receivers) = code::has_receivers(code);
            let kinds = code::possible_kinds(code);
            let known =
                threads::Known { method: number, depth: 0, kinds, has_receivers, keeps_receivers };
            tables.know(known);
            if tables.is_deep() {
                let method = code.method();
                let class = policy::display_name(method.class().this_class());
                let name = format!("{class}.{}", modified_utf8::decode(method.name()));
                deep = tables.know_deep(&name, known);
            }
        }
        code::insert(&followed, frame, deep, edit, pool).map_err(Obstacle::Refused)
    }

    fn thread_ended(&self, graph: &Graph, _: &ThreadTrees, tree: u32) {
        if let Some(tables) = graph.tables::<ResultTables>() {
            tables.end(tree);
        }
    }

    fn settle(&self, graph: &Graph, _: &ThreadTrees, _: bool, write: &dyn Fn(&Record)) {
        if let Some(tables) = graph.tables::<ResultTables>() {
            tables.write(graph.identities_drawn(), write);
        }
    }
}
