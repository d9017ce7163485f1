//! Data flow: where values come from and where they go.
//!
//! A [`mode`] says what of the data flow is recorded and lists what it needs for that
//! ([`capability`]); its [`domain`] says what a shadow means: [`copies`], [`costs`] and [`nulls`] are the modes,
//! while [`loops`], [`results`] and [`typestate`], by [`protocols`], follow no values.
//!
//! [`subject`] is a method with its control flow graph and its values, [`shadows`] finds the
//! values whose shadows are demanded, and [`emit`] allocates slots for shadows and writes
//! the code. Shadows pass calls by the stack in [`tracking`], by what [`methods`] do around
//! their code, and fields by their [`last_writers`]; code that is [`unfollowed`] sees to it
//! that nobody takes what was meant for others. [`objects`] are what values lie in. What the
//! code finds out goes to the [`graph`]; [`tables`] are all that a recording keeps.

pub mod capability;
pub mod copies;
pub mod costs;
pub mod domain;
pub mod emit;
pub mod graph;
pub mod intrinsic_probes;
pub mod kinds;
pub mod known_layouts;
pub mod last_writers;
pub mod loops;
pub mod methods;
pub mod mode;
pub mod modes;
pub mod nulls;
pub mod objects;
pub mod probes;
pub mod protocols;
pub mod results;
pub mod shadows;
pub mod subject;
pub mod tables;
pub mod tracking;
pub mod typestate;
pub mod unfollowed;

use crate::probe::members::{self, Family};
use mode::Mode;

/// What a recording adds to classes of the JDK, with contexts by texts or without.
pub fn families(mode: &Mode, has_texts: bool) -> Vec<Family> {
    let of_mode = mode.dataflow.map_or(&[][..], |flow| flow.mode.families());
    let of_texts: &[Family] = if has_texts { &[members::texts::FAMILY] } else { &[] };
    [&[members::FAMILY], of_mode, of_texts].concat()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_member_is_added_twice() {
        for options in ["calls", "copies", "costs", "nulls", "loops", "results", "typestate"] {
            let mode = Mode::parse(&modes::ALL, options, None, None).expect("is right");
            let mut names = BTreeSet::new();
            for family in families(&mode, true) {
                for probe in family.probes {
                    assert!(names.insert((probe.name, probe.descriptor)), "{}", probe.name);
                }
                for field in family.thread_fields {
                    assert!(names.insert(*field), "{}", field.0);
                }
            }
        }
    }
}
