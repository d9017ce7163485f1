//! Loops that read similar values again and again (Toddler, ICSE 2013).
//!
//! [`clusters`] puts together what was found of one static loop, [`explanation`] says
//! in words what is read again and how such a thing is repaired, both as tests are told
//! by the agent ([`profile::verdicts`]), and a [`baseline`] lists what is known already.

pub mod baseline;
pub mod explanation;

use profile::Profile;
use profile::dataflow::{LoopTotals, Place, SimilarLoop, SimilarRead};
pub use profile::verdicts::clusters;

use crate::dataflow::method_table::{MethodTable, Renumbering};
use tree::error::{Error, Result};
use tree::names::method::Method;
use tree::owners::{OwnCode, Owner, Owners};

/// What was found in one or several runs.
#[derive(Debug, Default)]
pub struct FoundLoops {
    /// The methods that places refer to.
    pub methods: Vec<Method>,
    /// The loops in their contexts.
    pub loops: Vec<SimilarLoop>,
    /// What was left out.
    pub totals: LoopTotals,
    /// Whose the classes are.
    pub owners: Owners,
}

/// Unites the loops of some profiles; each comes with the name it has in messages. `said` is
/// what the user says is their own code.
///
/// # Errors
/// If a profile has none.
pub fn unite(profiles: &[(String, Profile)], said: &OwnCode) -> Result<FoundLoops> {
    let mut table = MethodTable::default();
    let mut found = FoundLoops::default();
    for (file, profile) in profiles {
        let Some(loops) = &profile.dataflow.loops else {
            return Err(Error::new(format!(
                "{file}: no loops were recorded; record with mode=loops"
            )));
        };
        let methods = table.add(profile);
        found.loops.extend(loops.loops.iter().map(|one| renumbered(one, &methods)));
        let totals = &mut found.totals;
        let sum = |total: &mut u64, more: u64| *total = total.saturating_add(more);
        sum(&mut totals.reads, loops.totals.reads);
        sum(&mut totals.lost, loops.totals.lost);
        sum(&mut totals.deep, loops.totals.deep);
        sum(&mut totals.forgotten, loops.totals.forgotten);
        sum(&mut totals.uncopied, loops.totals.uncopied);
        sum(&mut totals.exhausted, loops.totals.exhausted);
        sum(&mut totals.unjudged, loops.totals.unjudged);
        totals.irreducible = totals.irreducible.max(loops.totals.irreducible);
    }
    found.methods = table.finish();
    let all = profiles.iter().map(|(_, profile)| profile);
    found.owners = Owners::of_profiles(all, said, &found.methods);
    Ok(found)
}

impl FoundLoops {
    /// Whose a place is; `None` of what happens in the JVM.
    pub fn owner(&self, place: Place) -> Option<Owner> {
        let method = self.methods.get(place.method?.0 as usize)?;
        Some(self.owners.owner(&method.class))
    }

    /// The nearest of the calls to a loop, the thread's first one first, that is of one's own
    /// code, counted from the loop.
    pub fn own_caller(&self, path: &[Place]) -> Option<usize> {
        path.iter().rev().position(|&place| self.owner(place) == Some(Owner::Own))
    }
}

fn renumbered(one: &SimilarLoop, methods: &Renumbering) -> SimilarLoop {
    let path = |path: &[_]| path.iter().map(|&place| methods.place(place)).collect();
    let read = |read: &SimilarRead| SimilarRead {
        place: methods.place(read.place),
        path: path(&read.path),
        ..read.clone()
    };
    SimilarLoop {
        place: methods.place(one.place),
        path: path(&one.path),
        similar: one.similar.iter().map(read).collect(),
        ..one.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use profile::dataflow::LoopProfile;
    use profile::{ClassId, ClassInfo, Definition, Loader, MethodId, MethodInfo};

    use super::*;

    fn place(method: u32) -> Place {
        Place { method: Some(MethodId(method)), bci: 0, line: 1 }
    }

    #[test]
    fn loops_are_whose_their_classes_come_from_where() {
        let class = |(name, location): (&str, &str)| ClassInfo {
            name: name.into(),
            definition: Arc::new(Definition {
                loader: Loader::Application,
                location: location.into(),
            }),
            ..ClassInfo::default()
        };
        let method = |class| MethodInfo::new(ClassId(class), "run", "()V");
        let classes = [
            ("org.app.Main", "file:/srv/classes/"),
            ("org.lib.List", "file:/srv/lib.jar"),
            ("java.util.List", ""),
        ];
        let mut profile = Profile {
            classes: classes.map(class).into(),
            methods: (0..3).map(method).collect(),
            ..Profile::default()
        };
        profile.dataflow.loops = Some(LoopProfile::default());
        let profiles = [("run".to_owned(), profile)];
        let found = unite(&profiles, &OwnCode::default()).expect("they have some");
        let owners = [0, 1, 2].map(|at| found.owner(place(at)));
        assert_eq!(owners, [Owner::Own, Owner::Library, Owner::Platform].map(Some));
        assert_eq!(found.owner(Place::default()), None);
        assert_eq!(found.own_caller(&[place(0), place(0), place(1), place(2)]), Some(2));
        assert_eq!(found.own_caller(&[place(1)]), None);
        let said =
            unite(&profiles, &OwnCode::new(Some("org.lib.*"), None)).expect("they can be united");
        assert_eq!(said.owner(place(1)), Some(Owner::Own));
        assert_eq!(said.owner(place(0)), Some(Owner::Library));
    }
}
