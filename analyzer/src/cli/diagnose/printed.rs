//! Whether runs of a program printed the same, and if not, which of them is the other one.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cli::run::plain::without_numbers;

/// What the plain runs printed, as far as it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Printed {
    /// The same, sampled and without samples.
    Same,
    /// Those without samples something else than the sampled one, as a program does that prints
    /// its options, modules or threads.
    OtherIfSampled,
    /// Something else each time.
    Varies,
}

/// What every JVM prints that gets options by the variable.
const PICKED_UP: &[u8] = b"Picked up JAVA_TOOL_OPTIONS";

/// Whether two runs printed the same, maybe but for numbers; `None` if one of them left nothing
/// to compare.
pub fn same(one: &Path, other: &Path, but_for_numbers: bool) -> Option<bool> {
    let lines = |path: &Path| {
        let text = fs::read(path).ok()?;
        let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.starts_with(PICKED_UP));
        let line = |line: &[u8]| match but_for_numbers {
            true => without_numbers(&String::from_utf8_lossy(line)).into_bytes(),
            false => line.to_vec(),
        };
        Some(lines.map(line).collect::<Vec<_>>())
    };
    Some(lines(one)? == lines(other)?)
}

impl Printed {
    /// By a run that was sampled, one that was not, and a third one without samples, with or
    /// without the agent.
    pub fn of(
        sampled: &Path,
        unsampled: &Path,
        third: &Path,
        but_for_numbers: bool,
    ) -> Option<Self> {
        let is_same = |one, other| same(one, other, but_for_numbers);
        Some(match (is_same(sampled, unsampled)?, is_same(unsampled, third)?) {
            (true, _) => Self::Same,
            (false, true) => Self::OtherIfSampled,
            (false, false) => Self::Varies,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_run_that_differs_is_found() {
        let folder = std::env::temp_dir().join(format!("printed-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let file = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).expect("it can be written");
            path
        };
        let one = file("one", "Picked up JAVA_TOOL_OPTIONS: -Da\n1 option\n");
        let [same_one, other] = [file("same", "1 option\n"), file("other", "2 options\n")];
        let third = file("third", "3 options\n");
        let of = |sampled, unsampled, third| Printed::of(sampled, unsampled, third, false);
        assert_eq!(of(&one, &same_one, &other), Some(Printed::Same));
        assert_eq!(of(&other, &one, &same_one), Some(Printed::OtherIfSampled));
        assert_eq!(of(&one, &other, &third), Some(Printed::Varies));
        assert_eq!(of(&one, &folder.join("none"), &other), None);
        assert_eq!(same(&other, &third, true), Some(true));
        fs::remove_dir_all(&folder).expect("it was made");
    }
}
