//! Samples in words.

use base::number::{counted, percent};
use profile::sampling::Sampling;

use super::TIME;
use super::precision::{FEWEST, error};
use crate::Tree;

/// What is known of the samples, and what they do not say, in a line.
pub fn heading(sampling: &Sampling) -> String {
    format!("Time: {}", facts(sampling))
}

/// The same line without its first word.
pub fn facts(sampling: &Sampling) -> String {
    let Sampling { samples, .. } = *sampling;
    let mut line = format!("{} of an uninstrumented run", counted(samples, "sample"));
    let seconds = |millis: u64| format!("{:.1} s", millis as f64 / 1e3);
    if sampling.wall_millis > 0 {
        line.push_str(&format!(" of {}", seconds(sampling.wall_millis)));
    }
    let mut inside: Vec<String> = vec![sampling.sampler.clone()];
    if sampling.cpu_millis > 0 {
        inside.push(format!("{} of processor time", seconds(sampling.cpu_millis)));
    }
    inside.retain(|text| !text.is_empty());
    if !inside.is_empty() {
        line.push_str(&format!(" ({})", inside.join(", ")));
    }
    if samples.saturating_sub(sampling.without_context) < FEWEST {
        line.push_str("; too few to rank by");
    }
    let share = |part: u64| percent(part, samples);
    if sampling.in_natives > 0 {
        line.push_str(&format!("; {} in natives", share(sampling.in_natives)));
    }
    for (millis, who) in
        [(sampling.collector_millis, "collector"), (sampling.compiler_millis, "compilers")]
    {
        if millis > 0 {
            line.push_str(&format!("; {who} {}", seconds(millis)));
        }
    }
    if sampling.below_context > 0 {
        let share = share(sampling.below_context);
        line.push_str(&format!("; {share} in methods that were not recorded there"));
    }
    if sampling.without_context > 0 {
        let share = share(sampling.without_context);
        line.push_str(&format!("; {share} in no context, and in no share below"));
    }
    line
}

/// A share of samples with its error, such as `28.1% ±2.0`; `-` for none, which is not
/// nothing, but less than the sampler sees.
pub fn share(part: u64, whole: u64) -> String {
    if part == 0 || whole == 0 {
        return "-".to_owned();
    }
    let share = 100.0 * part as f64 / whole as f64;
    format!("{share:.1}% ±{:.1}", 100.0 * error(part, whole))
}

/// A share of a tree's cost: with its error, if that is samples.
pub fn share_of_cost(tree: &Tree, part: u64, whole: u64) -> String {
    if tree.metric() == TIME { share(part, whole) } else { percent(part, whole) }
}
