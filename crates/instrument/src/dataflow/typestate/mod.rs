//! Typestate histories (Xu et al. 2014, section 2.1).
//!
//! No values are followed. Objects of the types that [`protocols`](super::protocols) name
//! have a field with the node of their last event, given to the classes that
//! [`hierarchy`] finds. [`code`] tells of calls on them, of what these return, and of
//! objects that are made and obtained; [`histories`] are the nodes and what follows what,
//! which threads count in [`tables`] and [`records`] writes down.

mod code;
mod hierarchy;
pub mod histories;
pub mod probes;
mod records;
pub mod tables;

use arena::Arena;
use classfile::{ClassEditor, ClassFile, CodeEdit, PoolExtension, Refusal, access};
use profile::metadata::Record;

use super::capability::Capability;
use super::methods::follow::{Followed, Following, Obstacle};
use super::mode::{DataflowMode, DataflowOptions};
use super::tables::{Graph, Tables};
use crate::probe::members::{Family, PREFIX};
use crate::probe::{Access, RuntimeClass};
use code::TypestateCode;
use live::thread_trees::ThreadTrees;
use tables::TypestateTables;

/// `mode=typestate`.
#[derive(Debug)]
pub struct TypestateMode;

/// The runtime classes behind the probes.
const RUNTIME_CLASSES: &[RuntimeClass] = &[RuntimeClass::initialised_by(
    "SubsumeTypestate",
    "canFollow",
    "java.lang.SubsumeTypestate cannot be initialised",
)];

/// Fields that are added have this name behind the [`PREFIX`]: in classes whose objects
/// may follow a protocol, for the node of the last event; in `Class`, for what is known of
/// its objects.
pub const FIELD: &str = "typestate";

/// Flags of these fields.
const FLAGS: u16 = access::PRIVATE | access::TRANSIENT | access::SYNTHETIC;

impl DataflowMode for TypestateMode {
    fn name(&self) -> &'static str {
        "typestate"
    }

    fn capabilities(&self) -> &'static [Capability] {
        &[
            Capability::RecordsCalls,
            Capability::InstrumentsAllClasses,
            Capability::AddsFields,
            Capability::FollowsProtocols,
        ]
    }

    fn families(&self) -> &'static [Family] {
        &[probes::FAMILY]
    }

    fn runtime_classes(&self) -> &'static [&'static [RuntimeClass]] {
        &[RUNTIME_CLASSES]
    }

    fn thread_tables(&self) -> &'static [&'static str] {
        &["typestates"]
    }

    fn tables(
        &self,
        _: &Arena,
        options: DataflowOptions,
        _: u32,
        _: Option<u64>,
    ) -> Option<Tables> {
        Some(Box::new(TypestateTables::new(options.protocols)))
    }

    fn add_fields(
        &self,
        (class, is_boot): (&ClassFile<'_>, bool),
        graph: Option<&Graph>,
        editor: &mut ClassEditor<'_>,
    ) -> Result<bool, Refusal> {
        let Some(tables) = graph.and_then(Graph::tables::<TypestateTables>) else {
            return Ok(false);
        };
        let follows = tables.hierarchy.write().load(class, is_boot);
        let descriptor: &[u8] = match class.this_class() {
            b"java/lang/Class" => b"J",
            _ if follows => b"I",
            _ => return Ok(false),
        };
        let name = format!("{PREFIX}{FIELD}");
        editor.add_field(FLAGS, name.as_bytes(), descriptor)?;
        Ok(true)
    }

    fn follow(
        &self,
        followed: Followed<'_>,
        following: &Following<'_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<(), Obstacle> {
        let Some(tables) = following.graph.tables::<TypestateTables>() else { return Ok(()) };
        let Followed { code, number: method, access, is_chosen, .. } = followed;
        let class = code.method().class().this_class();
        let is_jdk = access == Access::Direct || has_name_of_jdk(class);
        let has_sites = is_chosen && !is_jdk;
        let hierarchy = &tables.hierarchy.read();
        let mut code =
            TypestateCode { code, method, has_sites, tables, hierarchy, access, edit, pool };
        code.insert().map_err(Obstacle::Refused)
    }

    fn settle(&self, graph: &Graph, _: &ThreadTrees, _: bool, write: &dyn Fn(&Record)) {
        if let Some(tables) = graph.tables::<TypestateTables>() {
            tables.told(graph.arena(), |told| records::write(told, write));
        }
    }
}

/// Whether a class has a name of the JDK's runtime. The tools' names count as any
/// application's.
fn has_name_of_jdk(class: &[u8]) -> bool {
    let own = [&b"java/"[..], b"javax/", b"jdk/", b"sun/", b"com/sun/proxy/"];
    own.iter().any(|own| class.starts_with(own))
}
