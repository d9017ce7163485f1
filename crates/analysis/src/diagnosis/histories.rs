//! Evidence of a recording of histories: objects that are never closed, or used wrongly.

use base::number::{counted, grouped};
use profile::dataflow::Place;
use profile::{MethodId, Profile};
use tree::error::Result;
use tree::owners::Owner;

use super::evidence::{Evidence, Recording, Sure};
use super::kind::Kind;
use super::program::Program;
use super::region::Region;
use crate::dataflow::typestate::{groups, unite};

/// What a recording of histories says.
///
/// # Errors
/// If the profile has no histories.
pub fn evidence(program: &Program<'_>, profiles: &[(String, Profile)]) -> Result<Vec<Evidence>> {
    let histories = unite(profiles)?;
    let mut all = Vec::new();
    for group in groups(&histories.graph) {
        let Some(site) = group.site.map(|site| &histories.graph.sites[site as usize]) else {
            continue;
        };
        let Place { method: Some(MethodId(number)), line, .. } = site.place else { continue };
        let Some(method) = histories.methods.get(number as usize) else { continue };
        if program.owners.owner(&method.class) == Owner::Platform {
            continue;
        }
        // What was made at the start alone is no less wrong.
        let Some(method) = program.number(method) else { continue };
        let name = site.class.rsplit('.').next().unwrap_or(&site.class);
        let tell = |kind, sentence: String, hint| Evidence {
            kind,
            recording: Recording::Typestate,
            method,
            line,
            node: program.costliest(program.contexts(method)),
            sentence,
            hint: Some(hint),
            region: Region::default(),
            saving: 0,
            likely: 0,
            sure: Sure::Exact,
            command: vec!["typestate".to_owned()],
        };
        let of = format!("of {} made here", counted(group.objects, name));
        if group.leaking() > 0 {
            let sentence = format!("{} {of} are never closed", grouped(group.leaking()));
            all.push(tell(Kind::NeverClosed, sentence, "close it, best by try-with-resources"));
        }
        if group.broken() > 0 {
            let sentence = format!("{} {of} are used wrongly", grouped(group.broken()));
            all.push(tell(Kind::Misused, sentence, "see what led there with 'subsume typestate'"));
        }
    }
    Ok(all)
}
