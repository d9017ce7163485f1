//! Which value of a label sets runs apart from the others.

use std::collections::{BTreeMap, BTreeSet};

use crate::dataset::Dataset;
use crate::run::Run;
use crate::spread::{Spread, Spreads, spreads};
use tree::error::Result;
use tree::names::pattern::Pattern;

/// Labels that say of which program runs are: these are not compared.
const NOT_COMPARED: [&str; 1] = ["program"];

/// The runs with one value of a label, beside all others.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlier {
    /// The label.
    pub key: String,
    /// Its value.
    pub value: String,
    /// Costs of these runs.
    pub with: Spread,
    /// Costs of the others.
    pub without: Spread,
    /// The method whose own cost differs most, by its place in [`Spreads::methods`], with
    /// that difference of the means.
    pub method: Option<(usize, f64)>,
}

impl Outlier {
    /// The difference of the means as a part of the mean of the other runs.
    pub fn share(&self) -> f64 {
        let without = self.without.mean();
        if without == 0.0 { 0.0 } else { (self.with.mean() - without) / without }
    }
}

/// What sets the runs apart, with the costs that say so; of methods of classes that match.
/// Costs are read one run at a time.
///
/// # Errors
/// If a run cannot be read, or does not have the metric.
pub fn find(
    dataset: &Dataset,
    runs: &[Run],
    metric: Option<&str>,
    class: Option<&Pattern>,
) -> Result<(Spreads, Vec<Outlier>)> {
    let values = groups(runs);
    // Runs with the same labels are one group: of each only sums are kept.
    let mut by_labels: BTreeMap<Vec<bool>, Vec<Run>> = BTreeMap::new();
    for run in runs {
        let has = values.values().map(|of_value| of_value.contains(&run.id)).collect();
        by_labels.entry(has).or_default().push(run.clone());
    }
    let members: Vec<((String, String), Vec<bool>)> = values
        .into_keys()
        .enumerate()
        .map(|(at, label)| (label, by_labels.keys().map(|has| has[at]).collect()))
        .collect();
    let sets: Vec<&[Run]> = by_labels.values().map(Vec::as_slice).collect();
    let mut spreads = spreads(dataset, &sets, metric)?;
    if let Some(class) = class {
        spreads.methods.retain(|(method, _)| class.matches(&method.class));
    }
    let outliers = outliers(&spreads, &members);
    Ok((spreads, outliers))
}

/// The runs by the values of their labels; those of values that all of them have are left
/// out.
fn groups(runs: &[Run]) -> BTreeMap<(String, String), BTreeSet<String>> {
    let mut groups: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for run in runs {
        let labels = run.labels.iter().filter(|(key, _)| !NOT_COMPARED.contains(&key.as_str()));
        for (key, value) in labels {
            groups.entry((key.clone(), value.clone())).or_default().insert(run.id.clone());
        }
    }
    groups.retain(|_, of_value| of_value.len() < runs.len());
    groups
}

/// Compares the runs of each value with the others, that of the greatest difference first:
/// those that are apart from all others before those that are not. `spreads` has a group
/// for each set of runs that has the same labels; `members` are the places of those groups
/// that have the value.
fn outliers(spreads: &Spreads, values: &[((String, String), Vec<bool>)]) -> Vec<Outlier> {
    let sides = |groups: &[Spread], members: &[bool]| {
        let mut sides = [Spread::default(); 2];
        for (&group, &is_member) in groups.iter().zip(members) {
            let side = &mut sides[usize::from(!is_member)];
            *side = side.with(group);
        }
        sides
    };
    let mut outliers: Vec<Outlier> = values
        .iter()
        .map(|((key, value), members)| {
            let [with, without] = sides(&spreads.totals, members);
            let differences = spreads.methods.iter().enumerate().map(|(at, (_, groups))| {
                let [with, without] = sides(groups, members);
                (at, with.mean() - without.mean())
            });
            let method = differences
                .max_by(|(_, one), (_, other)| one.abs().total_cmp(&other.abs()))
                .filter(|(_, difference)| *difference != 0.0);
            Outlier { key: key.clone(), value: value.clone(), with, without, method }
        })
        .collect();
    outliers.sort_by(|one, other| {
        let key =
            |outlier: &Outlier| (outlier.with.is_apart(&outlier.without), outlier.share().abs());
        let ((one, share), (other, other_share)) = (key(one), key(other));
        other.cmp(&one).then(other_share.total_cmp(&share))
    });
    outliers
}
