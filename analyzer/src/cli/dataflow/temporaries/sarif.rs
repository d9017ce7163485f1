//! Temporaries as SARIF.

use analysis::dataflow::copies::temporaries::Temporaries;
use analysis::dataflow::for_whom::Shares;
use analysis::diagnosis::kind::Kind;
use base::number::{counted, percent};

use super::{Answer, CONTEXTS, json_temporaries};
use crate::cli::json::share;
use crate::cli::sarif::{Finding, Level, Rule, Step, figures};

pub fn findings<'a>(answer: &'a Answer<'a>) -> Vec<Finding<'a>> {
    let sites = answer.sites.iter().zip(&answer.users);
    sites.filter_map(|(site, user)| finding(answer, site, user.as_ref())).collect()
}

fn finding<'a>(
    answer: &'a Answer<'a>,
    site: &Temporaries,
    user: Option<&Shares>,
) -> Option<Finding<'a>> {
    let info = &answer.naming.objects().sites[site.site.0 as usize];
    let place = Step::at(answer.naming, info.place)?;
    let share = share(site.objects, answer.all_objects);
    Some(Finding {
        rule: Rule::Waste(Kind::ShortLived),
        level: Level::of_share(share),
        share: Some(share),
        message: format!(
            "{} of {}, made in {}, are never assigned to the heap: {} of this site's objects, {} of \
             all objects, with {}.",
            counted(site.objects, "object"),
            info.class,
            place.method.qualified(),
            percent(site.objects, site.all_objects),
            percent(site.objects, answer.all_objects),
            counted(site.bytes, "byte"),
        ),
        ways: ways(answer, &place),
        place,
        detail: info.class.clone(),
        figures: figures(&json_temporaries(answer, site, user)),
    })
}

/// The contexts in which the site's method allocates most.
fn ways<'a>(answer: &Answer<'a>, place: &Step<'a>) -> Vec<Vec<Step<'a>>> {
    let Some(callers) = answer.callers else { return Vec::new() };
    let tree = &callers.recorded.tree;
    let nodes = callers.of(Some(place.method)).iter().take(CONTEXTS);
    let way = |&node: &u32| {
        let calls = callers.path(node).map(|node| tree.method[node as usize] as usize);
        let calls = calls.map(|method| Step::new(&tree.methods[method], 0));
        let mut way: Vec<Step<'a>> = [place.clone()].into_iter().chain(calls).collect();
        way.reverse();
        way
    };
    nodes.map(way).collect()
}
