//! Families of actions, a function for each.
//!
//! What is printed depends on no schedule, no address, no clock and no order of
//! reflection's lists.

mod classes;
mod control;
mod described;
mod handles;
mod mirrors;
mod objects;
mod stored;
mod text;
mod threads;

use super::generator::{Action, Writer};

/// All families.
pub const ALL: [fn(&mut Writer) -> Action; 33] = [
    mirrors::arrays,
    mirrors::methods,
    mirrors::constructors,
    mirrors::fields,
    described::boxes,
    described::annotations,
    described::members,
    handles::methods,
    handles::combined,
    handles::fields,
    handles::variables,
    stored::views,
    handles::call_sites,
    objects::proxies,
    stored::serialised,
    objects::records,
    objects::clones,
    objects::bridges,
    stored::atomic_fields,
    stored::raw_memory,
    text::enums,
    text::strings,
    text::concatenation,
    text::lambdas,
    text::streams,
    control::exceptions,
    control::implicit_exceptions,
    control::resources,
    control::arithmetic,
    classes::initialisers,
    classes::hidden,
    threads::locks,
    threads::virtual_threads,
];
