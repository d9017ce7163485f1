//! Which value of a label sets runs apart from the others.

use std::collections::{BTreeMap, BTreeSet};

use crate::fleet::run::Run;
use crate::fleet::spread::{Spread, Spreads};

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

/// The runs by the values of their labels; those of values that all of them have are left
/// out.
pub fn groups(runs: &[Run]) -> BTreeMap<(String, String), BTreeSet<String>> {
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
pub fn outliers(spreads: &Spreads, values: &[((String, String), Vec<bool>)]) -> Vec<Outlier> {
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
