//! Structures as SARIF.

use analysis::dataflow::costs::ranking::Ranked;
use base::number::counted;

use super::document::json_structure;
use super::{Answer, field_line, share};
use crate::cli::dataflow::text::cost;
use crate::cli::sarif::{Finding, Level, Rule, Step, figures};

pub fn findings<'a>(answer: &Answer<'a>) -> Vec<Finding<'a>> {
    answer.ranked.iter().filter_map(|structure| finding(answer, structure)).collect()
}

fn finding<'a>(answer: &Answer<'a>, structure: &Ranked) -> Option<Finding<'a>> {
    let naming = answer.naming;
    let info = &naming.objects().sites[structure.site.0 as usize];
    let place = Step::at(naming, info.place)?;
    let part = structure.excess / answer.instances.max(1) as f64;
    let worst =
        answer.ranking.fields(structure.site).first().map(|field| field_line(naming, field));
    let worst = worst.map_or_else(String::new, |line| format!(" Most of it is in {line}."));
    Some(Finding {
        rule: Rule::CostlyStructure,
        level: Level::of_share(part),
        share: Some(part),
        message: format!(
            "{} of {}, made in {}, have fields that cost more than they bring, by {} instances, \
             {} of the run (all fields: cost {}, benefit {}).{worst}",
            counted(structure.objects, "object"),
            info.class,
            place.method.qualified(),
            cost(structure.excess),
            share(structure.excess, answer.instances),
            cost(structure.cost),
            cost(structure.benefit),
        ),
        place,
        ways: Vec::new(),
        detail: info.class.clone(),
        figures: figures(&json_structure(answer, structure)),
    })
}
