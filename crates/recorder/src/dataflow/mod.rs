//! Data flow: where values come from and where they go.
//!
//! A [`mode`] says what of the data flow is recorded, and its [`domain`] what a shadow
//! means: [`copies`], [`costs`] and [`nulls`] are the modes,
//! while [`loops`], [`results`] and [`typestate`], by [`protocols`], follow no values. [`subject`] is a method
//! with its control flow graph and its values, [`shadows`] finds the values whose
//! shadows are demanded, and [`emit`] allocates slots for shadows and writes the code;
//! [`follow`] does all of that for a method. [`callees`] have numbers by which shadows find
//! their way from call to callee. What the code finds out goes to the
//! [`graph`]: [`edges`], [`consumed`] values, and [`numbers`] with their names.

pub mod activation;
pub mod callees;
pub mod calls;
pub mod clearing;
pub mod clones;
pub mod consumed;
pub mod contexts;
pub mod copies;
pub mod costs;
pub mod domain;
pub mod edges;
pub mod emit;
pub mod follow;
pub mod graph;
pub mod intrinsic_probes;
pub mod invalidation;
pub mod kinds;
pub mod known_layouts;
pub mod last_writers;
pub mod leaving;
pub mod loops;
pub mod mode;
pub mod modes;
pub mod native_effects;
pub mod nulls;
pub mod numbers;
pub mod probes;
pub mod protocols;
pub mod redundant;
pub mod results;
pub mod shadows;
pub mod sites;
pub mod stack;
pub mod static_fields;
pub mod subject;
pub mod tag_table;
pub mod tags;
pub mod typestate;
pub mod unfollowed;
pub mod unsafe_access;
pub mod upcalls;

use crate::probe::members::{self, Family};
use mode::Mode;

/// What a recording adds to classes of the JDK.
pub fn families(mode: &Mode) -> Vec<Family> {
    let of_mode = mode.dataflow.map_or(&[][..], |flow| flow.mode.families());
    [&[members::FAMILY], of_mode].concat()
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
            for family in families(&mode) {
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
