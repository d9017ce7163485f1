//! Evidence of a recording of histories: objects that are never closed, or used wrongly.

use base::number::{counted, grouped};
use profile::Profile;
use tree::error::Result;

use super::defects::defect;
use super::evidence::{Evidence, Recording};
use super::kind::Kind;
use super::program::Program;
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
        let name = site.class.rsplit('.').next().unwrap_or(&site.class);
        let tell = |kind, sentence, hint| {
            let of = (kind, Recording::Typestate);
            let found = defect(program, of, site.place, &histories.methods)?;
            Some(Evidence { sentence, hint: Some(hint), ..found })
        };
        let of = format!("of {} made here", counted(group.objects, name));
        if group.leaking() > 0 {
            let sentence = format!("{} {of} are never closed", grouped(group.leaking()));
            all.extend(tell(Kind::NeverClosed, sentence, "close it, best by try-with-resources"));
        }
        if group.broken() > 0 {
            let sentence = format!("{} {of} are used wrongly", grouped(group.broken()));
            all.extend(tell(
                Kind::Misused,
                sentence,
                "see what led there with 'subsume typestate'",
            ));
        }
    }
    Ok(all)
}
